import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { firstRepository, write } from './learnings-data.ts'
import { type Entry, eventually, type Page, reviewCommentsPath } from './metrics-data.ts'
import { call, demo, home } from './service.ts'

interface Step {
  readonly name: string
  readonly env?: Readonly<Record<string, string>>
  readonly run?: string
}

type Context = Readonly<Record<string, unknown>>
type Environment = Readonly<Record<string, string>>

const repository = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(`${tmpdir()}/scholiast-reviewer-`)
const origin = `${folder}/example/shop`
const author = `${folder}/author`
const number = 1 + Math.floor(Math.random() * 1_000_000_000)
const url = `https://github.com/example/shop/pull/${number}`
const today = new Date().toISOString().slice(0, 10)
const guidance = `The total of the shop is exported once. A text is parsed with JSON.parse, never with eval (${number}).`

const steps = {
  workflow: readSteps(
    'review.yml',
    (file: { jobs: { review: { steps: Step[] } } }) => file.jobs.review.steps,
  ),
  action: readSteps('action.yml', (file: { runs: { steps: Step[] } }) => file.runs.steps),
}

before(async () => {
  await write([{ learning: guidance, repository_id: firstRepository.repository_id, file: 'shop.js' }])
  mkdirSync(origin, { recursive: true })
  await git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', origin)
  await git(folder, 'init', '--quiet', '--initial-branch=main', author)
  await git(author, 'config', 'user.name', 'Author')
  await git(author, 'config', 'user.email', 'author@example.com')
  await git(author, 'remote', 'add', 'origin', origin)
  await commit('main', 'export const total = 1\n')
  await git(author, 'switch', '--quiet', '--create', 'change')
})
after(() => rmSync(folder, { recursive: true }))

test('the action reviews a pull request and reports outcomes after its merge [B-6]', async () => {
  await commit('change', [
    'export const total = 1',
    "const password = 'correct horse battery'",
    'export const parse = (text) => eval(text)',
    'console.log(total)',
    '',
  ])
  const opened = await runWorkflow('opened')
  assert.match(opened, /Findings: 3/)
  assert.match(opened, /\*\*critical\*\* `shop\.js:2`/)
  assert.ok(opened.includes(`> ${guidance}`), opened)

  await commit('change', [
    'export const total = 1',
    'export const parse = JSON.parse',
    'console.log(total)',
    '',
  ])
  const fixed = await runWorkflow('synchronize')
  assert.match(fixed, /Findings: 1/)
  assert.match(fixed, /`shop\.js:3`/)

  assert.match(await runWorkflow('closed'), /Findings: 3\. Events: 4 accepted, 0 rejected/)
  const expected = [
    { severity: 'critical', accepted: true },
    { severity: 'major', accepted: true },
    { severity: 'minor', accepted: false },
  ]
  await eventually('the findings have their outcomes', async () =>
    isDeepStrictEqual(await readComments(), expected),
  )

  assert.match(await runWorkflow('closed'), /4 accepted/, 'running it again is harmless')
  assert.deepEqual(await readComments(), expected)
})

test('a model of an OpenAI-compatible API reviews, and what it invents is dropped [B-6]', async (t) => {
  const requests: { path: string | undefined; authorization: string | undefined; body: string }[] = []
  const finding = {
    file: 'shop.js',
    line: 1,
    severity: 'major',
    category: 'functional_correctness',
    message: 'Wrong.',
  }
  const findings = [
    finding,
    { ...finding, line: 99 },
    { ...finding, severity: 'fatal' },
    { ...finding, file: 'x.js' },
  ]
  const model = createServer((incoming, outgoing) => {
    let body = ''
    incoming.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    incoming.on('end', () => {
      requests.push({ path: incoming.url, authorization: incoming.headers.authorization, body })
      outgoing.setHeader('content-type', 'application/json')
      outgoing.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify({ findings }) } }] }))
    })
  }).listen(0, '127.0.0.1')
  await once(model, 'listening')
  t.after(() => model.close())

  await git(author, 'switch', '--quiet', '--create', 'another', 'main')
  await commit('another', "export const total = 2 // password = 'correct horse battery'\n")
  const settings = {
    SCHOLIAST_URL: demo.base_url,
    SCHOLIAST_API_KEY: demo.keys.user,
    MODEL_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    MODEL_NAME: 'small',
    MODEL_KEY: 'model-key',
    REVIEW_ORGANIZATION_ID: home.org_id,
    REVIEW_REPOSITORY_ID: firstRepository.repository_id,
    PR_NUMBER: String(number + 1),
    PR_URL: url,
    PR_BASE: 'main',
  }
  const output = await bash(
    author,
    `"${process.execPath}" "${repository}examples/reviewer/reviewer.ts" review`,
    settings,
  )
  assert.match(output, /Findings: 1/)
  assert.match(output, /\*\*major\*\* `shop\.js:1`: Wrong\./)
  const [request] = requests
  assert.equal(request?.path, '/v1/chat/completions')
  assert.equal(request?.authorization, 'Bearer model-key')
  assert.ok(request?.body.includes(guidance), 'the model gets the guidance')
  assert.ok(!output.includes('model-key'))
})

async function readComments() {
  const window = `start_date=${today}&end_date=${new Date().toISOString().slice(0, 10)}`
  const { body } = await call(`${reviewCommentsPath}?${window}`, { key: demo.keys.user })
  const entry = (body as Page).data.find((candidate: Entry) => candidate.pr_url === url)
  return (entry?.coderabbit_comments ?? [])
    .map(({ severity, accepted }) => ({ severity, accepted }))
    .sort((a, b) => (a.severity ?? '').localeCompare(b.severity ?? ''))
}

/** Writes the file, commits it and pushes it as the branch and as the head of the pull request. */
async function commit(branch: string, lines: string | readonly string[]): Promise<void> {
  writeFileSync(`${author}/shop.js`, typeof lines === 'string' ? lines : lines.join('\n'))
  await git(author, 'add', '.')
  await git(author, 'commit', '--quiet', '--message', 'Change the shop')
  const refs = branch === 'change' ? [branch, `HEAD:refs/pull/${number}/head`] : [branch]
  await git(author, 'push', '--quiet', 'origin', ...refs)
}

/** Runs the steps of the workflow and of its action as a runner does, in an empty folder. */
async function runWorkflow(action: 'opened' | 'synchronize' | 'closed'): Promise<string> {
  const workspace = mkdtempSync(`${folder}/workspace-`)
  const summary = `${workspace}.summary`
  writeFileSync(summary, '')
  const revision = async (name: string) => (await git(author, 'rev-parse', name)).trim()
  const context = {
    github: {
      token: 'token',
      repository_owner_id: home.org_id,
      repository_id: firstRepository.repository_id,
      event: {
        action,
        pull_request: {
          number,
          html_url: url,
          merged: action === 'closed',
          created_at: `${today}T00:00:00Z`,
          merged_at: action === 'closed' ? `${today}T00:00:01Z` : null,
          base: { sha: await revision('main') },
          head: { sha: await revision('change') },
          user: { login: 'author', id: 4711 },
        },
      },
    },
    inputs: {
      'scholiast-url': demo.base_url,
      'api-key': demo.keys.user,
      'ingest-key': demo.keys.ingest,
    },
  }
  const runner = {
    GITHUB_SERVER_URL: `file://${folder}`,
    GITHUB_REPOSITORY: 'example/shop',
    GITHUB_BASE_REF: 'main',
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_ACTION_PATH: `${workspace}/.scholiast/examples/github-action`,
  }
  for (const step of [...steps.workflow, ...steps.action]) {
    // The source under test instead of a clone.
    if (step.name === 'Get Scholiast') symlinkSync(repository, `${workspace}/.scholiast`)
    else if (step.run !== undefined)
      await bash(workspace, step.run, { ...runner, ...fillIn(step.env, context) })
  }
  return readFileSync(summary, 'utf8')
}

function readSteps<File>(name: string, select: (file: File) => Step[]): Step[] {
  return select(parse(readFileSync(`${repository}examples/github-action/${name}`, 'utf8')) as File)
}

/** Values of `${{ a.b.c }}`; as in a runner, what does not exist is empty. */
function fillIn(env: Environment = {}, context: Context): Environment {
  const valueOf = (path: string) =>
    path.split('.').reduce<unknown>((value, name) => (value as Context | undefined)?.[name], context)
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value.replaceAll(
        /\$\{\{ *([\w.-]+) *\}\}/g,
        (_, path: string) => `${(valueOf(path) ?? '') as string | number | boolean}`,
      ),
    ]),
  )
}

function git(cwd: string, ...words: string[]): Promise<string> {
  return run(cwd, 'git', words, {})
}

function bash(cwd: string, script: string, env: Environment): Promise<string> {
  return run(cwd, 'bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], env)
}

/** Asynchronous, because the test may serve the model that the command asks. */
async function run(
  cwd: string,
  command: string,
  words: readonly string[],
  env: Environment,
): Promise<string> {
  const child = spawn(command, words, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [status] = (await once(child, 'close')) as [number | null]
  assert.equal(status, 0, `${command} ${words.join(' ')}\n${output}`)
  return output
}
