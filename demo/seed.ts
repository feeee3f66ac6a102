// npm run demo -- --help
// Seeds a running service with demo tenants: the tenants with admin commands, everything else through the ingest
// endpoint and the public API. Running it again does not change existing data and keys.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, parseEnv } from 'node:util'
import { loadData, membersOf, roleIn } from './data.ts'
import { daysBefore } from './history/calendar.ts'
import { historyOf } from './history/events.ts'
import {
  createAdminKey,
  createCredential,
  ensureKeys,
  isSeeded,
  type KeyValues,
  type ListedKey,
  listKeys,
  revokeKey,
  type SeedingKeys,
} from './keys.ts'
import {
  proposalsBeforeDelay,
  proposalsWithDelay,
  setApprovalDelays,
  usesOf,
  writeAndDecide,
} from './learnings.ts'
import { Operator } from './operator.ts'
import { Progress } from './progress.ts'
import { dismissalsOf, scanEvents, scansOf, uploadScans } from './scans.ts'
import { Service } from './service.ts'
import { countMessages, deliver, type Session } from './session.ts'
import {
  accessEvent,
  assignRoles,
  ensureTenants,
  inventoryEvent,
  type Root,
  setInactiveOrganizations,
  turnOffMetrics,
} from './tenants.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const usage = `Seed a running service (API and worker) with demo tenants.
Usage: npm run demo -- [OPTIONS]

  --base-url URL    URL of the API (default: http://127.0.0.1:8420)
  --out FILE        Output file for keys and organizations (default: .dev/demo.json)
  --env-file FILE   Settings for the admin command; the environment takes precedence (default: .dev/env, if it exists)
  --admin COMMAND   Admin command (default: node server/src/admin.ts)
  --days N          Days of history, 1 to 365 (default: 365)
  --data FOLDER     Folder with the data files (default: demo/data)
  --help            Show this help
`

interface Seeding extends Root, SeedingKeys {}

try {
  await main()
} catch (error) {
  const { message, cause } = error as Error
  process.stderr.write(`${message}${cause instanceof Error ? ` (${cause.message})` : ''}\n`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string', default: 'http://127.0.0.1:8420' },
      out: { type: 'string', default: `${repository}.dev/demo.json` },
      'env-file': { type: 'string', default: `${repository}.dev/env` },
      admin: { type: 'string', default: `${process.execPath} ${repository}server/src/admin.ts` },
      days: { type: 'string', default: '365' },
      data: { type: 'string', default: fileURLToPath(new URL('data', import.meta.url)) },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return
  }
  const days = Number(values.days)
  if (!Number.isInteger(days) || days < 1 || days > 365)
    throw new Error('--days must be a whole number from 1 to 365.')
  const file = values['env-file']
  const service = new Service(values['base-url'])
  await service.requireReady()
  const settings = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const operator = new Operator(values.admin.split(' '), { ...settings, ...process.env })
  try {
    const session = {
      data: loadData(values.data),
      operator,
      service,
      progress: new Progress(process.stderr),
      days,
      messagesBefore: await countMessages(operator),
    }
    await seed(session, values.out, values['base-url'])
  } finally {
    await operator.close()
  }
}

async function seed(session: Session, file: string, baseUrl: string): Promise<void> {
  const { data, operator, progress } = session
  const start = Date.now()
  const { roots } = await ensureTenants(operator, data.tenants)
  const listed = new Map<Root, readonly ListedKey[]>()
  for (const root of roots) listed.set(root, await listKeys(session, root))
  const unseeded = roots.filter((root) => !isSeeded(listed.get(root) ?? []))
  const seedings = await createTenantContents(session, unseeded, listed)
  const { values: keys, created } = await ensureKeys(session, roots, listed, readKeys(file))
  await verifyAccess(session, roots, keys)
  if (seedings.length > 0) await seedContents(session, seedings)
  const organizations = await describeOrganizations(session, roots)
  writePrivately(file, { base_url: baseUrl, keys, organizations })
  const seconds = ((Date.now() - start) / 1000).toFixed(1)
  const reused = data.keys.length - created
  progress.done(
    `The demo is ready after ${seconds} s: ${seedings.length} of ${roots.length} tenants seeded, ${created} keys created, ${reused} reused. Keys: ${file}`,
  )
}

/** Creates organizations, repositories, people and the seeding keys of new tenants. */
async function createTenantContents(
  session: Session,
  roots: readonly Root[],
  listed: ReadonlyMap<Root, readonly ListedKey[]>,
): Promise<Seeding[]> {
  const { operator, service } = session
  const seedings: Seeding[] = []
  for (const root of roots) {
    const { id, value: credential } = await createCredential(session, root, listed.get(root) ?? [])
    seedings.push({ ...root, credential, api: new Map(), ids: [id] })
  }
  for (const { credential } of seedings) {
    if (!(await service.accepts(credential)))
      throw new Error(
        'The service rejects the new ingest credential. Check that INGEST_KEYS matches the API.',
      )
  }
  if (seedings.length === 0) return []
  const deliveries = seedings.map((one) => ({ credential: one.credential, events: [inventoryEvent(one)] }))
  await deliver(session, 'organizations, repositories and people', deliveries)
  const created: Seeding[] = []
  for (const seeding of seedings) {
    await assignRoles(operator, seeding)
    await setInactiveOrganizations(operator, seeding, 'activate')
    created.push(await addAdminKeys(session, seeding))
  }
  return created
}

/** Approving Learnings and listing Learnings and findings requires a key of an Admin of the organization. */
async function addAdminKeys(session: Session, seeding: Seeding): Promise<Seeding> {
  const api = new Map(seeding.api)
  const ids = [...seeding.ids]
  for (const organization of seeding.tenant.organizations) {
    const members = membersOf(seeding.tenant, organization)
    const admin = members.find((person) => roleIn(person, organization) === 'cr_admin')
    if (admin === undefined) continue
    const { id, value } = await createAdminKey(session, seeding, organization, admin.email)
    api.set(organization.org_id, value)
    ids.push(id)
  }
  return { ...seeding, api, ids }
}

async function seedContents(session: Session, seedings: readonly Seeding[]): Promise<void> {
  const { operator, progress, data, days } = session
  const scans = new Map(seedings.map((seeding) => [seeding, scansOf(session, seeding)]))
  const histories = seedings.map((seeding) => {
    const day = seeding.createdAt.slice(0, 10)
    return historyOf(data, seeding.tenant, daysBefore(day, days), `demo-${day}`)
  })
  const start = Date.now()
  await Promise.all(
    seedings.map((seeding) => uploadScans(session, seeding.credential, scans.get(seeding) ?? [])),
  )
  const events = await deliver(
    session,
    'pull requests, MCP usage, Learnings and security scans',
    seedings.map((seeding, index) => ({
      credential: seeding.credential,
      events: [
        ...(histories[index]?.events ?? []),
        ...proposalsBeforeDelay(session, seeding),
        ...scanEvents(scans.get(seeding) ?? []),
      ],
    })),
  )
  const pullRequests = histories.reduce((sum, history) => sum + history.pullRequests, 0)
  const seconds = ((Date.now() - start) / 1000).toFixed(1)
  progress.done(`${pullRequests} pull requests of ${days} days, ${events} events: ${seconds} s`)

  for (const seeding of seedings) await setApprovalDelays(session, seeding, 'organizations')
  const proposals = seedings.map((seeding) => {
    return { credential: seeding.credential, events: proposalsWithDelay(session, seeding) }
  })
  await deliver(session, 'Learnings', proposals)
  const deliveries = []
  for (const seeding of seedings) {
    await setApprovalDelays(session, seeding, 'repositories')
    const { credential, tenant, api } = seeding
    // The Learnings API is part of the Enterprise plan.
    const learnings = tenant.plan === 'enterprise' ? api : new Map<string, string>()
    await writeAndDecide(session, seeding, learnings)
    const uses = await usesOf(session, seeding, learnings)
    deliveries.push({ credential, events: [...uses, ...(await dismissalsOf(session, seeding, api))] })
  }
  await deliver(session, 'uses of Learnings and dismissals', deliveries)
  for (const seeding of seedings) {
    await setInactiveOrganizations(operator, seeding, 'deactivate')
    await turnOffMetrics(operator, seeding)
    for (const id of seeding.ids) await revokeKey(session, seeding, id)
  }
}

async function verifyAccess(session: Session, roots: readonly Root[], keys: KeyValues): Promise<void> {
  const now = new Date()
  const deliveries = roots.flatMap(({ tenant }) => {
    const event = accessEvent(tenant, now)
    const name = session.data.keys.find((key) => key.kind === 'ingest' && key.tenant === tenant.tenant)?.name
    return event === null || name === undefined ? [] : [{ credential: keys[name] ?? '', events: [event] }]
  })
  await deliver(session, 'access to repositories', deliveries)
}

async function describeOrganizations({ operator }: Session, roots: readonly Root[]) {
  const described = []
  for (const { tenant, id: root } of roots) {
    const listed = await operator.list<{ id: string; org_id: string }>('organization', 'list', '--root', root)
    for (const { org_id, name, inactive, repositories } of tenant.organizations) {
      if (inactive) continue
      const id = listed.find((one) => one.org_id === org_id)?.id
      const active = repositories.filter((one) => !one.inactive)
      described.push({
        id,
        org_id,
        name,
        root: tenant.kind,
        repositories: active.map((one) => ({ repository_id: one.repository_id, name: one.name })),
      })
    }
  }
  return described
}

/** Returns the key values of an earlier seeding, or none if the file is missing or invalid. */
function readKeys(file: string): KeyValues {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { keys?: KeyValues } | null)?.keys ?? {}
  } catch {
    return {}
  }
}

/** Only the owner can read the file, and a crash leaves no partial file. */
function writePrivately(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, file)
}
