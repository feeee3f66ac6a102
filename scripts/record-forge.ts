// Makes the calls of a connector against a live forge and against the fake that tests use, and prints where their responses have
// different shapes. Only field names and types are printed and written: no value, name, id, text or secret.
//
//   node scripts/record-forge.ts github --host github.com --app APP_ID --installation ID --key-file app.pem --repository acme/api --number 12
//   FORGE_TOKEN=… node scripts/record-forge.ts gitlab --host gitlab.com --group acme --repository acme/api --number 12
//
// --out FILE writes the shapes of the live forge as JSON. Choose a pull request with threads, replies, reactions
// and a check, in a repository with a code scanning alert.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Forge } from '../fake-forge/forge.ts'
import { FakeGithub } from '../fake-forge/github/server.ts'
import { FakeGitlab } from '../fake-forge/gitlab/server.ts'
import { openPullRequest } from '../fake-forge/pull-request.ts'
import { addComment, addReaction, replyToThread, resolveThread, submitReview } from '../fake-forge/review.ts'
import { createUnlimitedBudget } from '../server/src/resources/connectors/git-providers/budget.ts'
import { toGithubAddress } from '../server/src/resources/connectors/git-providers/github/address.ts'
import { createGithubClient } from '../server/src/resources/connectors/git-providers/github/client.ts'
import {
  type GithubCredential,
  InstallationTokens,
} from '../server/src/resources/connectors/git-providers/github/tokens.ts'
import {
  createGitlabClient,
  toGitlabAddress,
} from '../server/src/resources/connectors/git-providers/gitlab/client.ts'
import { GitlabUsers } from '../server/src/resources/connectors/git-providers/gitlab/users.ts'
import type { ProviderClient } from '../server/src/resources/connectors/git-providers/provider-client.ts'
import { createSender } from '../server/src/resources/connectors/git-providers/request.ts'
import { readConnectorHosts } from '../server/src/settings/connector-hosts.ts'
import { compareShapes, createShapeRecorder, exerciseClient, type RecordedShapes } from './forge-shapes.ts'

const clock = {
  now: () => new Date(),
  sleep: (ms: number) => new Promise<void>((fulfil) => setTimeout(fulfil, ms)),
}
const budget = createUnlimitedBudget(clock)

interface Recording {
  readonly shapes: RecordedShapes
  readonly failed: readonly string[]
}

type CreateClient = (send: ReturnType<typeof createSender>) => ProviderClient

async function record(
  origins: readonly string[],
  isPrivate: boolean,
  create: CreateClient,
  repository: string,
  number: number,
): Promise<Recording> {
  const problems: string[] = []
  const entries = origins.map((origin) => origin.replace(/^https:\/\//, ''))
  const hosts = readConnectorHosts(entries, isPrivate ? entries : [], problems)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const recorder = createShapeRecorder(createSender({ hosts }))
  const choose = (all: readonly { fullName: string; id: string; isPrivate: boolean }[]) =>
    all.find(({ fullName }) => fullName === repository)
  return { shapes: recorder.shapes, failed: await exerciseClient(create(recorder.send), choose, number) }
}

function createGithub(host: string, credential: GithubCredential): CreateClient {
  return (send) => {
    const tokens = new InstallationTokens(send, clock)
    return createGithubClient({ address: toGithubAddress(host), credential, tokens, send, budget, clock })
  }
}

function createGitlab(host: string, token: string, group: string): CreateClient {
  const users = new GitlabUsers()
  return (send) =>
    createGitlabClient({ web: toGitlabAddress(host), token, group, send, budget, clock, users })
}

/** One pull request with something of everything. */
function createFakeForge(gitFolder: string) {
  const forge = new Forge({ clock: { now: () => Date.now() }, gitFolder })
  const person = forge.addUser('alice', { name: 'Alice', email: 'alice@acme.example' })
  const bot = forge.addUser('reviewer[bot]')
  const group = forge.addOrganization('acme')
  forge.addMember(group, person, 'admin')
  const repository = forge.addRepository(group, 'api', person, { files: { 'a.txt': 'one\ntwo\n' } })
  const commits = [{ message: 'Change', changes: { 'a.txt': 'one\n2\n' } }]
  const pullRequest = openPullRequest(forge, repository, { title: 'Change', author: person, commits })
  const threads = [{ path: 'a.txt', line: 2, body: 'Spell it\n```suggestion\ntwo\n```\n' }]
  submitReview(forge, pullRequest, { author: bot, body: 'One finding', threads })
  const [thread] = pullRequest.threads
  const [comment] = thread?.comments ?? []
  if (thread === undefined || comment === undefined) throw new Error('the fake has no thread')
  replyToThread(forge, pullRequest, thread, person, 'No')
  addReaction(forge, pullRequest, comment, person, '-1')
  resolveThread(forge, pullRequest, thread, person)
  addComment(forge, pullRequest, bot, 'Summary')
  const { headSha: commit } = pullRequest
  const alert = {
    rule: 'x',
    description: 'x',
    securitySeverity: 'high',
    path: 'a.txt',
    startLine: 2,
    commit,
  } as const
  forge.addAlert(repository, alert, bot)
  return { forge, group }
}

async function recordFake(provider: 'github' | 'gitlab'): Promise<Recording> {
  const gitFolder = mkdtempSync(join(tmpdir(), 'record-forge-'))
  try {
    const { forge, group } = createFakeForge(gitFolder)
    if (provider === 'gitlab') {
      const gitlab = await FakeGitlab.start({ forge })
      const create = createGitlab(gitlab.url, gitlab.createToken(group), 'acme')
      const recording = await record([gitlab.url], false, create, 'acme/api', 1)
      await gitlab.close()
      return recording
    }
    const github = await FakeGithub.start({ forge, isEnterprise: true })
    const app = github.apps.createApp({ name: 'Recorder', owner: group })
    const installationId = String(github.apps.install(app, group).id)
    const credential = { appId: String(app.id), privateKey: app.privateKey, installationId }
    const recording = await record([github.url], false, createGithub(github.url, credential), 'acme/api', 1)
    await github.close()
    return recording
  } finally {
    rmSync(gitFolder, { recursive: true, force: true })
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      host: { type: 'string' },
      app: { type: 'string', default: '' },
      installation: { type: 'string', default: '' },
      'key-file': { type: 'string', default: '' },
      group: { type: 'string', default: '' },
      repository: { type: 'string', default: '' },
      number: { type: 'string', default: '1' },
      private: { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  })
  const provider = positionals[0] === 'gitlab' ? 'gitlab' : 'github'
  const host = values.host ?? `${provider}.com`
  const { api, web } = toGithubAddress(host)
  const create =
    provider === 'gitlab'
      ? createGitlab(host, process.env['FORGE_TOKEN'] ?? '', values.group)
      : createGithub(host, {
          appId: values.app,
          privateKey: readFileSync(values['key-file'], 'utf8'),
          installationId: values.installation,
        })
  const origins = provider === 'gitlab' ? [toGitlabAddress(host)] : [new URL(api).origin, web]
  const live = await record(
    [...new Set(origins)],
    values.private,
    create,
    values.repository,
    Number(values.number),
  )
  const fake = await recordFake(provider)
  const differences = compareShapes(fake.shapes, live.shapes)
  for (const line of [...fake.failed.map((one) => `fake: ${one}`), ...live.failed, ...differences])
    console.log(line)
  console.log(`${live.shapes.size} calls, ${live.failed.length} failed, ${differences.length} differences`)
  if (values.out !== undefined) writeFileSync(values.out, renderShapes(live.shapes))
  if (live.failed.length + differences.length > 0) process.exitCode = 1
}

function renderShapes(shapes: RecordedShapes): string {
  const plain = [...shapes].map(([call, shape]) => [
    call,
    Object.fromEntries([...shape].map(([path, types]) => [path, [...types].sort()])),
  ])
  return `${JSON.stringify(Object.fromEntries(plain), null, 2)}\n`
}

await main()
