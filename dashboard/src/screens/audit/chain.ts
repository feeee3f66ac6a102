import {
  type AuditLog,
  AuditLogError,
  type AuditVerification,
  ScholiastError,
  verifyAuditLog,
} from '@scholiast/sdk'
import { queryOptions } from '@tanstack/react-query'
import { client, organizationHeaders } from '../../api/client.ts'
import type { AuditRow } from './log.ts'

export type Verification =
  | {
      readonly state: 'intact'
      readonly result: AuditVerification
      readonly first: number
      readonly last: number
    }
  | { readonly state: 'broken'; readonly fault: string }
  /** Nothing was verified, and why. */
  | { readonly state: 'unknown'; readonly reason: string }

export interface ChainState {
  readonly verification: Verification
  /** When the last row that is signed was signed; null if no head is among the rows. */
  readonly signedAt: string | null
  readonly isSigning: boolean
}

/** How far a whole verification is. */
export interface Progress {
  readonly step: 'reading' | 'waiting' | 'verifying'
  readonly rows: number
  readonly of: number | null
}

const CHAIN_PAGE_SIZE = 10_000
/** Links before the newest row that are read too, because the last signed head is among them. */
const HEAD_LINKS = 300

/** The rows that are loaded, and the links between them. One read; the whole chain has a button. */
export function segmentQuery(organization: string, rows: readonly AuditRow[]) {
  const positions = rows.map(({ position }) => position)
  const last = Math.max(0, ...positions)
  // The link before the first row has the hash from which the first row follows.
  const after = Math.max(0, Math.min(...positions, last - HEAD_LINKS) - 2)
  return queryOptions<ChainState>({
    queryKey: [organization, 'audit segment', after, last, positions.join()],
    enabled: rows.length > 0,
    queryFn: async ({ signal }) => {
      const limit = last - after
      if (limit > CHAIN_PAGE_SIZE) return toState(emptyLog(rows), unknown('the rows are too far apart'))
      const headers = organizationHeaders(organization)
      const page = await client.get('/v1/audit-logs/chain', { query: { after, limit }, headers, signal })
      const log = { rows, links: page.data, heads: page.heads, publicKeys: page.public_keys }
      return toState(log, await verify(log, { partial: true }))
    },
  })
}

/** The whole chain, from the first row on. */
export async function verifyWholeChain(
  organization: string,
  rows: readonly AuditRow[],
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<ChainState> {
  const links: AuditLog['links'][number][] = []
  const heads: AuditLog['heads'][number][] = []
  let publicKeys: AuditLog['publicKeys'] = []
  for (let isLast = false; !isLast; ) {
    onProgress({ step: 'reading', rows: links.length, of: null })
    const wait = () => onProgress({ step: 'waiting', rows: links.length, of: null })
    const page = await readWithinLimit(organization, links.at(-1)?.position ?? 0, { signal, wait })
    for (const link of page.data) links.push(link)
    heads.push(...page.heads)
    publicKeys = page.public_keys
    isLast = page.data.length < CHAIN_PAGE_SIZE
  }
  // Rows that were written after the rows were loaded are in the chain too.
  const log = { rows, links, heads, publicKeys }
  const verification = await verify(log, {
    partial: false,
    onProgress: (count) => onProgress({ step: 'verifying', rows: count, of: links.length }),
  })
  return toState(log, verification)
}

/** Waits as long as the rate limit says. */
async function readWithinLimit(
  organization: string,
  after: number,
  { signal, wait }: { readonly signal: AbortSignal; readonly wait: () => void },
) {
  for (;;)
    try {
      const query = { after, limit: CHAIN_PAGE_SIZE }
      const headers = organizationHeaders(organization)
      return await client.get('/v1/audit-logs/chain', { query, headers, signal })
    } catch (error) {
      if (!(error instanceof ScholiastError) || error.status !== 429) throw error
      wait()
      await new Promise((resolve) => setTimeout(resolve, 1000 * (error.retryAfter ?? 5)))
      signal.throwIfAborted()
    }
}

async function verify(
  log: AuditLog,
  options: { readonly partial: boolean; readonly onProgress?: (links: number) => void },
): Promise<Verification> {
  // Browsers have Web Crypto on https and localhost only.
  if (!isSecureContext) return unknown('this page was not opened with https')
  try {
    const result = await verifyAuditLog(log, options)
    const [first, last] = [log.links[0]?.position ?? 0, log.links.at(-1)?.position ?? 0]
    return { state: 'intact', result, first, last }
  } catch (error) {
    if (error instanceof AuditLogError) return { state: 'broken', fault: error.message }
    throw error
  }
}

function unknown(reason: string): Verification {
  return { state: 'unknown', reason }
}

function emptyLog(rows: readonly AuditRow[]): AuditLog {
  return { rows, links: [], heads: [], publicKeys: [] }
}

function toState({ heads, publicKeys }: AuditLog, verification: Verification): ChainState {
  const newest = heads.toSorted((a, b) => a.position - b.position).at(-1)
  return { verification, signedAt: newest?.at ?? null, isSigning: publicKeys.length > 0 }
}
