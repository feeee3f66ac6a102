import { createHash } from 'node:crypto'
import type {
  CodeScanningAlert,
  ProviderClient,
} from '../server/src/resources/connectors/git-providers/provider-client.ts'
import type {
  ProviderRequest,
  SendRequest,
} from '../server/src/resources/connectors/git-providers/request.ts'
import type { ProviderUser, RepositoryRef } from '../server/src/resources/connectors/snapshot.ts'

// What responses look like, without what they say: field names and types. Compares a live Git provider with the fake that tests use.

/** Types by the path of a field, by call. */
export type RecordedShapes = Map<string, Map<string, Set<string>>>

export interface ShapeRecorder {
  readonly send: SendRequest
  readonly shapes: RecordedShapes
}

/** Everything that is sent by `send` of the recorder is recorded. */
export function createShapeRecorder(send: SendRequest): ShapeRecorder {
  const shapes: RecordedShapes = new Map()
  return {
    shapes,
    async send(request) {
      const response = await send(request)
      const call = `${toCallName(request)} ${response.status}`
      const shape = shapes.get(call) ?? new Map<string, Set<string>>()
      shapes.set(call, shape)
      try {
        recordValue(shape, '', JSON.parse(response.body.toString('utf8')))
      } catch {
        addType(shape, '', 'not JSON')
      }
      return response
    },
  }
}

const pathWords = new Set(
  (
    'access_tokens alerts all api app award_emoji check-runs code-scanning collaborators commits discussions graphql groups ' +
    'installation installations members merge_requests notes projects repositories users'
  ).split(' '),
)

/** Anything that could be a name or an id is left out. The queries of GraphQL are ours. */
function toCallName({ method, url, body }: ProviderRequest): string {
  const segments = new URL(url).pathname
    .replace(/^\/api(?:\/v[34])?(?=\/)/, '')
    .split('/')
    .slice(1)
  const path = segments.map((segment) => (pathWords.has(segment) ? segment : '{}')).join('/')
  if (!path.endsWith('graphql')) return `${method} /${path}`
  const { query } = JSON.parse(body ?? '{}') as { query?: string }
  return `${method} /${path} ${createHash('sha256')
    .update(query ?? '')
    .digest('hex')
    .slice(0, 8)}`
}

function recordValue(shape: Map<string, Set<string>>, path: string, value: unknown): void {
  addType(shape, path, toType(value, path))
  if (Array.isArray(value)) for (const item of value) recordValue(shape, `${path}[]`, item)
  else if (typeof value === 'object' && value !== null)
    for (const [key, field] of Object.entries(value)) {
      // Keys are names of fields; those of maps could be anything.
      recordValue(shape, `${path}.${/^[A-Za-z_]\w{0,60}$/.test(key) ? key : '{}'}`, field)
    }
}

function addType(shape: Map<string, Set<string>>, path: string, type: string): void {
  const types = shape.get(path) ?? new Set<string>()
  shape.set(path, types.add(type))
}

function toType(value: unknown, path: string): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'string') return typeof value
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)) return 'time'
  // The first characters of a commit's id are sometimes all digits.
  if (/^\d{1,20}$/.test(value) && !path.endsWith('.short_id')) return 'digits'
  return /^[0-9a-f]{40}$/.test(value) ? 'sha' : 'string'
}

/** Where `live` differs from `fake`. Fields that only the live Git provider has are not read by anybody. */
export function compareShapes(fake: RecordedShapes, live: RecordedShapes): string[] {
  const found: string[] = []
  for (const [call, expected] of fake) {
    const actual = live.get(call)
    if (actual === undefined) {
      found.push(`${call}: the live Git provider did not answer so`)
      continue
    }
    for (const [path, types] of expected) {
      const difference = compareField(path, types, actual)
      if (difference !== null) found.push(`${call} ${path || '.'}: ${difference}`)
    }
  }
  for (const call of live.keys()) if (!fake.has(call)) found.push(`${call}: the fake did not answer so`)
  return found.sort()
}

function compareField(
  path: string,
  types: ReadonlySet<string>,
  actual: ReadonlyMap<string, ReadonlySet<string>>,
): string | null {
  const other = actual.get(path)
  if (other === undefined) {
    const parent = path.replace(/(?:\[\]|\.\w+|\.\{\})$/, '')
    // An empty list, or null instead of an object, shows nothing about what is below it.
    const isKnown = !path.endsWith('[]') && actual.get(parent)?.has('object')
    return isKnown ? 'is missing on the live Git provider' : null
  }
  const isComparable = [...types].some((type) => type !== 'null')
  const unknown = [...other].filter((type) => type !== 'null' && !types.has(type))
  if (!isComparable || unknown.length === 0) return null
  return `is ${[...other].sort().join(' or ')} on the live Git provider, ${[...types].sort().join(' or ')} on the fake`
}

/** Makes every call that a connector makes. Returns the calls that failed, by the name of their error. */
export async function exerciseClient(
  client: ProviderClient,
  choose: (repositories: readonly RepositoryRef[]) => RepositoryRef | undefined,
  number: number,
): Promise<string[]> {
  const failed: string[] = []
  const attempt = async (name: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error'}`)
    }
  }
  const repositories: RepositoryRef[] = []
  await attempt('readOrganization', () => client.readOrganization())
  await attempt('listRepositories', () => collectInto(repositories, client.listRepositories()))
  await attempt('listMembers', () => collectInto([], client.listMembers()))
  const ref = choose(repositories)
  if (ref === undefined) return [...failed, 'the repository is not among those that the credential can read']
  const since = '2008-01-01T00:00:00Z'
  const access: ProviderUser[] = []
  await attempt('listAccess', () => collectInto(access, client.listAccess(ref)))
  const [someone] = access
  if (someone !== undefined) await attempt('readPermission', () => client.readPermission(ref, someone))
  await attempt('listCreated', () => client.listCreated(ref, { after: null, since }))
  await attempt('listUpdated', () => collectInto([], client.listUpdated(ref, since), 100))
  await attempt('readPullRequest', () => client.readPullRequest(ref, number))
  const alerts: CodeScanningAlert[] = []
  await attempt('listCodeScanningAlerts', () => collectInto(alerts, client.listCodeScanningAlerts(ref), 100))
  const [alert] = alerts
  if (alert !== undefined)
    await attempt('readCodeScanningAlert', () => client.readCodeScanningAlert(ref, alert.number))
  await attempt('getCloneCredential', () => client.getCloneCredential(ref))
  return failed
}

async function collectInto<Item>(list: Item[], items: AsyncIterable<Item>, max = 1000): Promise<void> {
  for await (const item of items) {
    list.push(item)
    if (list.length >= max) return
  }
}
