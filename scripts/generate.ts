// Writes the generated files that are committed: openapi.json from the routes, the types of the SDK from openapi.json,
// events.schema.json from the event kinds, server/schema.sql from the migrations, server/sql-snapshots/*.sql from the code that composes statements, and the lists
// in docs/*.md (generate-docs.ts) and SECURITY.md (isolation-list.ts). With --check it writes nothing and fails if one of them is stale.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { eventKinds } from '../server/src/consumers.ts'
import { bootstrap } from '../server/src/db/bootstrap.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { findExampleFaults } from '../server/src/http/docs/check-examples.ts'
import { createOpenApiDocument } from '../server/src/http/docs/openapi.ts'
import { describeEvents } from '../server/src/resources/events/schema.ts'
import { endpoints, ingestEndpoints, sessionEndpoints } from '../server/src/routes.ts'
import { fillPages } from './generate-docs.ts'
import { fillIsolationList } from './isolation-list.ts'
import { generateSqlSnapshots } from './sql-snapshots.ts'

export interface GeneratedFile {
  readonly file: string
  readonly text: string
}

const repository = new URL('../', import.meta.url)
const engines = fileURLToPath(new URL('scripts/engines', repository))

/** Describes each committed file that differs from the generated one. */
export function findStale(
  generated: readonly GeneratedFile[],
  read: (file: string) => string | null,
): string[] {
  return generated.flatMap(({ file, text }) => {
    const committed = read(file)
    if (committed === text) return []
    return [
      committed === null
        ? `${file} does not exist`
        : `${file} is stale: ${describeFirstDifference(committed, text)}`,
    ]
  })
}

export function generateOpenApi(): GeneratedFile {
  const document = createOpenApiDocument([...endpoints, ...sessionEndpoints], ingestEndpoints(eventKinds))
  const faults = findExampleFaults(document)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return generateJson('openapi.json', document)
}

/** openapi-typescript needs TypeScript 5, which is installed in sdk/ beside it. Examples would double the size of the types. */
export function generateSdkTypes({ text }: GeneratedFile): GeneratedFile {
  const document: unknown = JSON.parse(text, (key, value: unknown) =>
    key === 'example' || key === 'examples' ? undefined : value,
  )
  const generator = fileURLToPath(new URL('sdk/node_modules/openapi-typescript/bin/cli.js', repository))
  const { status, stdout, stderr } = spawnSync(process.execPath, [generator], {
    input: JSON.stringify(document),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`openapi-typescript failed: ${stderr}`)
  const heading = '// GENERATED from openapi.json by `npm run generate`. Do not edit.\n\n'
  return {
    file: 'sdk/src/openapi.ts',
    text: heading + stdout.slice(stdout.indexOf('export interface paths')),
  }
}

function generateEvents(): GeneratedFile {
  return generateJson('events.schema.json', describeEvents(eventKinds))
}

function generatePages(): GeneratedFile[] {
  const files = globSync('docs/*.md', { cwd: repository }).sort()
  return fillPages(files.map((file) => ({ file, text: readFileSync(new URL(file, repository), 'utf8') })))
}

function generateJson(file: string, value: unknown): GeneratedFile {
  return { file, text: `${JSON.stringify(value, null, 2)}\n` }
}

/** Dumps the schema from a temporary database to which all migrations are applied. */
async function generateSchema(): Promise<GeneratedFile> {
  // If the engines are not running, fail before the database is created.
  runEngines('run', 'psql', '--command=select 1')
  const superuserUrl = readSuperuserUrl()
  const database = `generate_${randomBytes(6).toString('hex')}`
  const createUrl = (role: string) => createDatabaseUrl(superuserUrl, database, `scholiast_${role}`)
  const urls = {
    owner: createUrl('owner'),
    auth: createUrl('auth'),
    api: createUrl('api'),
    worker: createUrl('worker'),
  }
  try {
    await bootstrap(superuserUrl, urls)
    await migrate(urls.owner)
    const options = [
      '--schema-only',
      '--no-owner',
      '--no-comments',
      '--no-publications',
      '--no-subscriptions',
    ]
    return {
      file: 'server/schema.sql',
      text: stripDumpNoise(runEngines('run', 'pg_dump', ...options, database)),
    }
  } finally {
    runEngines('run', 'dropdb', '--if-exists', '--force', database)
  }
}

/** Removes what differs between machines and runs: session settings, headings, versions. */
export function stripDumpNoise(dump: string): string {
  const heading =
    '-- GENERATED from server/migrations by `npm run generate`. Do not edit: write a migration.\n\n'
  const statements = dump
    .replaceAll(/^--\n-- .*\n--\n/gm, '')
    .replaceAll(/^(?:-- Dumped |\\(?:un)?restrict |SET |SELECT pg_catalog\.set_config).*\n/gm, '')
    // Their order is that of the rows of the roles in the server, which a change of any role moves.
    .replaceAll(/^(CREATE POLICY .*? TO )(\w+(?:, \w+)+)/gm, (_, start: string, roles: string) => {
      return start + roles.split(', ').sort().join(', ')
    })
  return `${heading}${statements.replaceAll(/\n{3,}/g, '\n\n').trim()}\n`
}

function describeFirstDifference(committed: string, generated: string): string {
  const [before, after] = [committed.split('\n'), generated.split('\n')]
  const differing = after.findIndex((line, index) => line !== before[index])
  const line = differing === -1 ? after.length : differing
  return `line ${line + 1} is ${quoteLine(before[line])}, should be ${quoteLine(after[line])}`
}

function quoteLine(line: string | undefined): string {
  return line === undefined ? 'missing' : `"${line.trim().slice(0, 100)}"`
}

function readSuperuserUrl(): string {
  const url = /^export BOOTSTRAP_DATABASE_URL=(.+)$/m.exec(runEngines('env'))?.[1]
  if (url === undefined) throw new Error('scripts/engines env prints no BOOTSTRAP_DATABASE_URL.')
  return url
}

function createDatabaseUrl(superuserUrl: string, database: string, user: string): string {
  const url = new URL(superuserUrl)
  url.pathname = `/${database}`
  url.username = user
  url.password = ''
  return url.href
}

function runEngines(...words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(engines, words, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return stdout
  const reason = (error?.message ?? stderr).trim()
  throw new Error(
    `scripts/engines ${words.join(' ')} failed: ${reason}\nStart the engines first: scripts/engines up`,
  )
}

function readCommitted(file: string): string | null {
  try {
    return readFileSync(new URL(file, repository), 'utf8')
  } catch {
    return null
  }
}

function generateSecurityPage({ text: schema }: GeneratedFile): GeneratedFile {
  const file = 'SECURITY.md'
  return { file, text: fillIsolationList(readFileSync(new URL(file, repository), 'utf8'), schema) }
}

async function main(words: readonly string[]): Promise<number> {
  const schema = await generateSchema()
  const openApi = generateOpenApi()
  const generated = [
    openApi,
    generateSdkTypes(openApi),
    generateEvents(),
    ...generatePages(),
    ...generateSqlSnapshots(),
    schema,
    generateSecurityPage(schema),
  ]
  if (!words.includes('--check')) {
    for (const { file, text } of generated) writeFileSync(new URL(file, repository), text)
    console.log(`written: ${generated.map(({ file }) => file).join(', ')}`)
    return 0
  }
  const stale = findStale(generated, readCommitted)
  if (stale.length === 0) {
    console.log(`fresh: ${generated.map(({ file }) => file).join(', ')}`)
    return 0
  }
  console.error(`${stale.join('\n')}\nRun \`npm run generate\`, review the difference and commit it.`)
  return 1
}

if (import.meta.main) {
  process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    return 1
  })
}
