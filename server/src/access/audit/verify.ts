import type { KeyObject } from 'node:crypto'
import { type ClearValue, chainHashHex, contentDigestHex, sealValue } from './chain.ts'
import { computeKeyId, isSignedBy, parseSignedHead, type SignedHead } from './heads.ts'

// Works on files alone: no database, no network, nothing of the service but the rules of the chain.

/** A place in a chain: the position of a row and its hash, in hex. */
export interface ChainPosition {
  readonly position: number
  readonly hash: string
}

/** The first and the last line of an export; the rows are between them. */
export type ExportFrame =
  | { readonly kind: 'start'; readonly version: 1; readonly root: string; readonly after: ChainPosition }
  | { readonly kind: 'end'; readonly head: ChainPosition }

/** Of one root: what was signed of it, by position. */
export type SignedHeadsByPosition = ReadonlyMap<number, readonly SignedHead[]>

export interface ChainVerification {
  readonly root: string
  readonly rows: number
  readonly last: number
  readonly heads: number
  readonly clear: number
}

/** What does not hold, and of which row; null when it is about the files as such. */
export class AuditChainFault extends Error {
  override readonly name = 'Fault'
  readonly position: number | null

  constructor(position: number | null, why: string) {
    super(position === null ? why : `Row ${position}: ${why}`)
    this.position = position
  }
}

type ExportedRow = Readonly<Record<string, unknown>> & {
  readonly position: number
  readonly hash: string
  readonly sealed: Readonly<Record<string, string>>
  readonly clear?: Readonly<Record<string, ClearValue>>
}

/** The lines of a text that comes in pieces; those that npm prints before a command's own are passed over. */
async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<readonly string[], void> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield lines.filter((line) => line !== '' && !line.startsWith('> '))
  }
  if (rest !== '') throw new AuditChainFault(null, 'The file ends in the middle of a line.')
}

/** Holds an export to its own chain, and to what was signed of it. Throws the first fault. */
export async function verifyExport(
  pieces: AsyncIterable<string>,
  signed: (root: string) => Promise<SignedHeadsByPosition | null>,
): Promise<ChainVerification> {
  let chain: ChainState | null = null
  for await (const lines of splitLines(pieces)) {
    for (const line of lines) {
      const value = parseLine(line, chain)
      if (chain === null) chain = await startChain(value, signed)
      else if (chain.end !== null) throw new AuditChainFault(null, 'The export goes on behind its end.')
      else if (value['kind'] === 'end') chain.end = (value as unknown as ExportFrame & { kind: 'end' }).head
      else checkRow(chain, value as ExportedRow)
    }
  }
  if (chain === null) throw new AuditChainFault(null, 'The file holds no export.')
  return finishVerification(chain)
}

interface ChainState {
  readonly root: string
  readonly after: ChainPosition
  readonly heads: SignedHeadsByPosition | null
  end: ChainPosition | null
  position: number
  hash: string
  rows: number
  checkedHeads: number
  checkedClear: number
}

function parseLine(line: string, chain: ChainState | null): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(line) as unknown
    if (value !== null && typeof value === 'object') return value as Readonly<Record<string, unknown>>
  } catch {
    // Told below, like a line that is JSON but no object.
  }
  throw new AuditChainFault(chain && chain.position + 1, 'its line is not one of an export.')
}

async function startChain(
  value: Readonly<Record<string, unknown>>,
  signed: (root: string) => Promise<SignedHeadsByPosition | null>,
): Promise<ChainState> {
  const { kind, version, root, after } = value as Partial<ExportFrame & { kind: 'start' }>
  if (kind !== 'start' || version !== 1 || root === undefined || !/^[0-9a-f]{64}$/.test(after?.hash ?? ''))
    throw new AuditChainFault(null, 'The file does not begin as an export of version 1 does.')
  if (after === undefined || !Number.isSafeInteger(after.position) || after.position < 0)
    throw new AuditChainFault(null, 'The export does not say where it begins.')
  const heads = await signed(root)
  const chain: ChainState = {
    root,
    after,
    heads,
    end: null,
    position: after.position,
    hash: after.hash,
    rows: 0,
    checkedHeads: 0,
    checkedClear: 0,
  }
  if (after.position === 0) {
    if (/[^0]/.test(after.hash))
      throw new AuditChainFault(null, 'The export does not begin where chains begin.')
  } else if (heads !== null) checkCheckpoint(after, heads)
  return chain
}

/** That the first rows are gone because of their age must have been signed when they went. */
function checkCheckpoint(after: ChainPosition, heads: SignedHeadsByPosition): void {
  const isSigned = heads
    .get(after.position)
    ?.some(({ kind, hash }) => kind === 'checkpoint' && hash === after.hash)
  if (!isSigned)
    throw new AuditChainFault(
      after.position,
      'it and those before it are missing, and no signed checkpoint says so.',
    )
}

function checkRow(chain: ChainState, row: ExportedRow): void {
  const { position, hash, clear, ...content } = row
  const expected = chain.position + 1
  if (position !== expected) throw new AuditChainFault(expected, describePositionGap(expected, position))
  if (chainHashHex(chain.hash, position, contentDigestHex(content)) !== hash)
    throw new AuditChainFault(
      position,
      'what it says, or the hash before it, is not what its hash was made of.',
    )
  for (const [name, value] of Object.entries(clear ?? {})) {
    if (sealValue(value) !== row.sealed[name])
      throw new AuditChainFault(position, `the clear value of ${name} is not the one that was sealed.`)
    chain.checkedClear += 1
  }
  chain.position = position
  chain.hash = hash
  chain.rows += 1
  checkHeads(chain, position, hash)
}

function describePositionGap(expected: number, actual: unknown): string {
  if (typeof actual !== 'number') return 'its line is not one of an export.'
  if (actual < expected) return `it is missing; row ${actual} stands in its place once more.`
  return `it is missing; the next row is ${actual}.`
}

function checkHeads(chain: ChainState, position: number, hash: string): void {
  for (const head of chain.heads?.get(position) ?? []) {
    if (head.hash !== hash) {
      throw new AuditChainFault(
        position,
        `its hash is not the one that was signed on ${head.at}: it, or a row before it, was rewritten.`,
      )
    }
    chain.checkedHeads += 1
  }
}

function finishVerification({
  root,
  end,
  position,
  hash,
  rows,
  heads,
  checkedHeads,
  checkedClear,
  after,
}: ChainState): ChainVerification {
  if (end === null) throw new AuditChainFault(position + 1, 'the export ends before its end.')
  let signed = 0
  for (const signedPosition of heads?.keys() ?? []) signed = Math.max(signed, signedPosition)
  if (signed > position)
    throw new AuditChainFault(position + 1, `it is missing: rows up to ${signed} were signed.`)
  if (end.position !== position || end.hash !== hash)
    throw new AuditChainFault(
      position + 1,
      `the chain should end with row ${end.position}, and another hash.`,
    )
  const attested = heads?.get(after.position)?.length ?? 0
  return { root, rows, last: position, heads: checkedHeads + attested, clear: checkedClear }
}

/** What was signed of a root, by position. A line that cannot be trusted is a fault: it may stand for one that was. */
export async function readSignedHeads(
  pieces: AsyncIterable<string>,
  publicKeys: readonly KeyObject[],
  root: string,
): Promise<SignedHeadsByPosition> {
  const keys = new Map(publicKeys.map((key) => [computeKeyId(key), key]))
  const heads = new Map<number, SignedHead[]>()
  let number = 0
  for await (const lines of splitLines(pieces)) {
    for (const line of lines) {
      number += 1
      const head = parseSignedHead(line)
      if (head === null) throw new AuditChainFault(null, `Line ${number} of the heads is not a head.`)
      if (head.root !== root) continue
      const key = keys.get(head.key)
      if (key === undefined)
        throw new AuditChainFault(null, `Line ${number} of the heads is signed by another key, ${head.key}.`)
      if (!isSignedBy(key, head))
        throw new AuditChainFault(null, `The signature in line ${number} of the heads is wrong.`)
      heads.set(head.position, [...(heads.get(head.position) ?? []), head])
    }
  }
  return heads
}
