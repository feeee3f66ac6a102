import { createHash } from 'node:crypto'
import type { FixtureRoot, OffboardingFixture } from '../../server/test/proofs/offboarding-fixture.ts'
import { get } from '../tools/client.ts'
import type { Caller, KeptReceipt, Receipt } from './trial.ts'

interface Link {
  readonly position: number
  readonly digest: string
  readonly hash: string
}

interface AuditRow {
  readonly id: string
  readonly position: number
  readonly content: string
}

interface Log {
  readonly links: ReadonlyMap<number, Link>
  readonly rows: ReadonlyMap<string, AuditRow>
}

/** The number of receipts that do not verify. The log is read once; nothing else is asked of the service. */
export async function checkReceipts(
  { roots }: OffboardingFixture,
  [node]: readonly Caller[],
  receipts: readonly KeptReceipt[],
): Promise<number> {
  let unverified = 0
  for (const root of roots) {
    const log = await readLog(node?.url ?? '', root)
    const own = receipts.filter(({ receipt }) => receipt.root_id === root.id)
    unverified += own.filter((kept) => !verifies(kept, log)).length
  }
  return unverified
}

async function readLog(url: string, { token, organizations }: FixtureRoot): Promise<Log> {
  const key = token ?? organizations[0]?.adminKey ?? ''
  const read = async <Page>(path: string) => JSON.parse((await get(url + path, key)).text) as Page
  const links = new Map<number, Link>()
  const rows = new Map<string, AuditRow>()
  for (let after = 0, more = true; more; ) {
    const { data } = await read<{ data: Link[] }>(`/v1/audit-logs/chain?limit=10000&after=${after}`)
    for (const link of data) links.set(link.position, link)
    after = data.at(-1)?.position ?? after
    more = data.length === 10_000
  }
  for (let cursor = 'start', more = true; more; ) {
    const page = await read<{ data: AuditRow[]; next_cursor: string; has_more: boolean }>(
      `/v1/audit-logs?page_size=100&cursor=${encodeURIComponent(cursor)}`,
    )
    for (const row of page.data) rows.set(row.id, row)
    ;[cursor, more] = [page.next_cursor, page.has_more]
  }
  return { links, rows }
}

/** The receipt is a part of the chain, its rows are in the log, and they name every key that ended. */
function verifies({ receipt, keys, person }: KeptReceipt, { links, rows }: Log): boolean {
  if (!isChain(receipt) || links.get((receipt.rows[0]?.position ?? 0) - 1)?.hash !== toPrevious(receipt))
    return false
  const named = new Set<string>()
  for (const { id, action, position, digest, hash } of receipt.rows) {
    const [link, row] = [links.get(position), rows.get(id)]
    if (link?.digest !== digest || link.hash !== hash) return false
    if (row?.position !== position || sha256(row.content) !== digest) return false
    const content = JSON.parse(row.content) as { action: string; resource_id: string }
    if (content.action !== action) return false
    named.add(`${content.action} ${content.resource_id}`)
  }
  return named.has(`person_offboarded ${person}`) && keys.every((key) => named.has(`api_key_revoked ${key}`))
}

/** Undefined for the first row of a chain, before which there is no link. */
function toPrevious({ previous_hash, rows }: Receipt): string | undefined {
  return rows[0]?.position === 1 ? undefined : previous_hash
}

function isChain({ previous_hash, rows, head }: Receipt): boolean {
  let [previous, expected] = [previous_hash, rows[0]?.position ?? 0]
  for (const { position, digest, hash } of rows) {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(position))
    if (position !== expected) return false
    if (sha256(Buffer.from(previous, 'hex'), bytes, Buffer.from(digest, 'hex')) !== hash) return false
    ;[previous, expected] = [hash, position + 1]
  }
  return rows.length > 0 && head.position === expected - 1 && head.hash === previous
}

function sha256(...parts: readonly (string | Buffer)[]): string {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')
}
