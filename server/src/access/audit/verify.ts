import type { KeyObject } from 'node:crypto'
import { type ClearValue, chainHashHex, contentDigestHex, sealValue } from './chain.ts'
import { computeKeyId, isSignedBy, parseSignedHead, type SignedHead } from './heads.ts'

// Works on files only: no database, no network, no code of the server but the rules of the chain.

/** The position of a row in a chain and its hash in hex. */
export interface ChainPosition {
  readonly position: number
  readonly hash: string
}

/** The first and the last line of an export; the rows are between them. */
export type ExportFrame =
  | { readonly kind: 'start'; readonly version: 1; readonly root: string; readonly after: ChainPosition }
  | { readonly kind: 'end'; readonly head: ChainPosition }

/** A file of signed heads. */
export interface HeadsFile {
  readonly name: string
  readonly pieces: AsyncIterable<string>
}

/** What the signed heads say about one root. */
export interface SignedHeads {
  readonly byPosition: ReadonlyMap<number, readonly SignedHead[]>
  /** Records of restores to an earlier point, oldest first. */
  readonly restores: readonly SignedHead[]
  /** Heads of rows that a restore cut off. No row of the chain can match them. */
  readonly cutOff: number
  /** Files whose last line is incomplete. */
  readonly incompleteFiles: readonly string[]
}

export interface ChainVerification {
  readonly root: string
  readonly rows: number
  readonly last: number
  readonly heads: number
  readonly clear: number
  readonly restores: SignedHeads['restores']
  readonly cutOff: number
  readonly incompleteFiles: readonly string[]
}

/** The first error in a chain and the position of its row; null if the error concerns the files. */
export class AuditChainError extends Error {
  override readonly name = 'AuditChainError'
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

/** Splits chunks of text into lines. Returns the text after the last line break. */
async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<readonly string[], string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield lines
  }
  return rest
}

/** The lines of an export, without those that npm prints before a command's output. */
async function* splitExport(pieces: AsyncIterable<string>): AsyncGenerator<readonly string[], void> {
  const lines = splitLines(pieces)
  let next = await lines.next()
  for (; next.done !== true; next = await lines.next())
    yield next.value.filter((line) => line !== '' && !line.startsWith('> '))
  if (next.value !== '') throw new AuditChainError(null, 'The file ends in the middle of a line.')
}

/** Verifies an export against its own hashes and the signed heads. Throws the first fault. */
export async function verifyExport(
  pieces: AsyncIterable<string>,
  signed: (root: string) => Promise<SignedHeads | null>,
): Promise<ChainVerification> {
  let chain: ChainState | null = null
  for await (const lines of splitExport(pieces)) {
    for (const line of lines) {
      const value = parseLine(line, chain)
      if (chain === null) chain = await startChain(value, signed)
      else if (chain.end !== null) throw new AuditChainError(null, 'The export continues after its end.')
      else if (value['kind'] === 'end') chain.end = (value as unknown as ExportFrame & { kind: 'end' }).head
      else checkRow(chain, value as ExportedRow)
    }
  }
  if (chain === null) throw new AuditChainError(null, 'The file contains no export.')
  return finishVerification(chain)
}

interface ChainState {
  readonly root: string
  readonly after: ChainPosition
  readonly heads: SignedHeads | null
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
    // Reported below, like JSON that is not an object.
  }
  throw new AuditChainError(chain && chain.position + 1, 'its line is not a row of an export.')
}

async function startChain(
  value: Readonly<Record<string, unknown>>,
  signed: (root: string) => Promise<SignedHeads | null>,
): Promise<ChainState> {
  const { kind, version, root, after } = value as Partial<ExportFrame & { kind: 'start' }>
  if (kind !== 'start' || version !== 1 || root === undefined || !/^[0-9a-f]{64}$/.test(after?.hash ?? ''))
    throw new AuditChainError(null, 'The file does not start with the header of an export of version 1.')
  if (after === undefined || !Number.isSafeInteger(after.position) || after.position < 0)
    throw new AuditChainError(null, 'The header of the export has no valid start position.')
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
      throw new AuditChainError(
        null,
        'The export starts at position 0, but not with the hash that every chain starts with.',
      )
  } else if (heads !== null) checkCheckpoint(after, heads)
  return chain
}

/** A signed checkpoint must prove that retention dropped the first rows. */
function checkCheckpoint(after: ChainPosition, heads: SignedHeads): void {
  const isSigned = heads.byPosition
    .get(after.position)
    ?.some(({ kind, hash }) => kind === 'checkpoint' && hash === after.hash)
  if (!isSigned)
    throw new AuditChainError(
      after.position,
      'it and the rows before it are missing, and no signed checkpoint covers them.',
    )
}

function checkRow(chain: ChainState, row: ExportedRow): void {
  const { position, hash, clear, ...content } = row
  const expected = chain.position + 1
  if (position !== expected) throw new AuditChainError(expected, describePositionGap(expected, position))
  if (chainHashHex(chain.hash, position, contentDigestHex(content)) !== hash)
    throw new AuditChainError(position, 'its hash does not match its content and the previous hash.')
  for (const [name, value] of Object.entries(clear ?? {})) {
    if (sealValue(value) !== row.sealed[name])
      throw new AuditChainError(position, `the clear value of ${name} does not match its digest.`)
    chain.checkedClear += 1
  }
  chain.position = position
  chain.hash = hash
  chain.rows += 1
  checkHeads(chain, position, hash)
}

function describePositionGap(expected: number, actual: unknown): string {
  if (typeof actual !== 'number') return 'its line is not a row of an export.'
  if (actual < expected) return `it is missing; row ${actual} is repeated instead.`
  return `it is missing; the next row is ${actual}.`
}

function checkHeads(chain: ChainState, position: number, hash: string): void {
  for (const head of chain.heads?.byPosition.get(position) ?? []) {
    if (head.hash !== hash) {
      throw new AuditChainError(
        position,
        `its hash differs from the one signed at ${head.at}: this row or an earlier one was rewritten.`,
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
  if (end === null) throw new AuditChainError(position + 1, 'the export is truncated.')
  let signed = 0
  for (const signedPosition of heads?.byPosition.keys() ?? []) signed = Math.max(signed, signedPosition)
  if (signed > position) throw new AuditChainError(position + 1, `it is missing: row ${signed} was signed.`)
  if (end.position !== position || end.hash !== hash)
    throw new AuditChainError(position + 1, `the chain must end with row ${end.position} and its hash.`)
  const attested = heads?.byPosition.get(after.position)?.length ?? 0
  const { restores = [], cutOff = 0, incompleteFiles = [] } = heads ?? {}
  const counts = { rows, last: position, heads: checkedHeads + attested, clear: checkedClear, cutOff }
  return { root, ...counts, restores, incompleteFiles }
}

/**
 * Reads the signed heads of a root. An invalid line is a fault: it may have replaced a valid one. Only the end of a file may
 * be incomplete, because an interrupted write leaves it so, and the next write starts another file.
 */
export async function readSignedHeads(
  files: readonly HeadsFile[],
  publicKeys: readonly KeyObject[],
  root: string,
): Promise<SignedHeads> {
  const keys = new Map(publicKeys.map((key) => [computeKeyId(key), key]))
  const heads: SignedHead[] = []
  const incompleteFiles: string[] = []
  for (const { name, pieces } of files) {
    let number = 0
    const readLine = (line: string): void => {
      number += 1
      const head = readHead(line, `line ${number} of ${name}`, keys, root)
      if (head !== null) heads.push(head)
    }
    const lines = splitLines(pieces)
    let next = await lines.next()
    for (; next.done !== true; next = await lines.next()) for (const line of next.value) readLine(line)
    // A line that lacks only its line break is still a statement.
    if (parseSignedHead(next.value) !== null) readLine(next.value)
    else if (next.value !== '') incompleteFiles.push(name)
  }
  return { ...applyRestores(heads), incompleteFiles }
}

/** Returns null for a head of another root. */
function readHead(
  line: string,
  where: string,
  keys: ReadonlyMap<string, KeyObject>,
  root: string,
): SignedHead | null {
  const head = parseSignedHead(line)
  if (head === null) throw new AuditChainError(null, `The text in ${where} is not a signed head.`)
  if (head.root !== root) return null
  const key = keys.get(head.key)
  if (key === undefined)
    throw new AuditChainError(null, `The head in ${where} is signed by another key, ${head.key}.`)
  if (!isSignedBy(key, head)) throw new AuditChainError(null, `The signature in ${where} is wrong.`)
  return head
}

/**
 * A restore cuts off the rows after its position, with the heads that were signed for them before. Heads that were signed
 * later, and heads up to the position of the restore, apply to the chain that continues.
 */
function applyRestores(heads: readonly SignedHead[]): Omit<SignedHeads, 'incompleteFiles'> {
  const restores = heads
    .filter(({ kind }) => kind === 'restored')
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const isCutOff = (head: SignedHead) =>
    restores.some(({ position, at }) => head.position > position && Date.parse(head.at) < Date.parse(at))
  const remaining = heads.filter((head) => !isCutOff(head))
  return {
    byPosition: Map.groupBy(remaining, ({ position }) => position),
    restores,
    cutOff: heads.length - remaining.length,
  }
}
