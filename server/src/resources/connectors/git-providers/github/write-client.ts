import type { RepositoryRef } from '../../snapshot.ts'
import { parseJson } from '../json.ts'
import type { CheckRunOutput, NewCheckRun, WriteClient } from '../write-client.ts'
import { GithubConnection, type GithubOptions } from './connection.ts'

const CHECK_NAME = 'Scholiast'
const MAX_FILES = 300

interface CheckRunBody {
  readonly id: number
  readonly external_id: string | null
}

export function createGithubWriteClient(options: GithubOptions): WriteClient {
  const connection = new GithubConnection(options)
  const toPath = ({ id }: RepositoryRef) => `/repositories/${id}`
  return {
    async isPrivate(repository) {
      const response = await connection.get(toPath(repository))
      return parseJson<{ private: boolean }>(response).private
    },
    async listChangedFiles(repository, number) {
      const path = `${toPath(repository)}/pulls/${number}/files?per_page=100`
      const files: string[] = []
      for await (const { filename } of connection.list(path, (response) =>
        parseJson<{ filename: string }[]>(response),
      )) {
        files.push(filename)
        if (files.length === MAX_FILES) break
      }
      return files
    },
    async findCheckRun(repository, commit, externalId) {
      const filter = `check_name=${CHECK_NAME}&app_id=${options.credential.appId}&filter=all&per_page=100`
      const path = `${toPath(repository)}/commits/${commit}/check-runs?${filter}`
      const runs = connection.list(
        path,
        (response) => parseJson<{ check_runs: CheckRunBody[] }>(response).check_runs,
      )
      for await (const { id, external_id } of runs) if (external_id === externalId) return String(id)
      return null
    },
    async createCheckRun(repository, { commit, externalId, output }: NewCheckRun) {
      const response = await connection.write('POST', `${toPath(repository)}/check-runs`, {
        name: CHECK_NAME,
        head_sha: commit,
        external_id: externalId,
        ...toCompleted(output),
      })
      return String(parseJson<CheckRunBody>(response).id)
    },
    async updateCheckRun(repository, id, output) {
      await connection.write('PATCH', `${toPath(repository)}/check-runs/${id}`, toCompleted(output))
    },
    async createComment(repository, number, body) {
      await connection.write('POST', `${toPath(repository)}/issues/${number}/comments`, { body })
    },
  }
}

/** Neutral: it informs, and never blocks a merge. */
function toCompleted(output: CheckRunOutput) {
  return { status: 'completed', conclusion: 'neutral', output }
}
