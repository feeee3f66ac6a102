import { hash, randomBytes } from 'node:crypto'

// What a verifier needs to know of the chain. It imports nothing of the service, so that it can be read on its own.

/** The hash before the first row of every chain. */
export const genesis = Buffer.alloc(32)

/** What a row says, without its place in the chain. A verifier needs nothing but the exported row. */
export function contentDigest(row: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(contentDigestHex(row), 'hex')
}

export function chainHash(previous: Buffer, position: number, digest: Buffer): Buffer {
  return Buffer.from(chainHashHex(previous.toString('hex'), position, digest.toString('hex')), 'hex')
}

// The same in hex, for whoever does it a million times: Node makes a text of a hash in a third of the time of a buffer.
export function contentDigestHex(row: Readonly<Record<string, unknown>>): string {
  return hash('sha256', canonicalJson(row))
}

const chainHashInput = Buffer.alloc(72)

/** The hash before it, eight bytes of position, the digest of the row. */
export function chainHashHex(previous: string, position: number, digest: string): string {
  chainHashInput.write(previous, 0, 32, 'hex')
  chainHashInput.writeUInt32BE(Math.floor(position / 2 ** 32), 32)
  chainHashInput.writeUInt32BE(position % 2 ** 32, 36)
  chainHashInput.write(digest, 40, 32, 'hex')
  return hash('sha256', chainHashInput)
}

/** JSON with sorted keys: jsonb does not keep the order in which they were written. */
function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  let text = ''
  if (Array.isArray(value)) {
    for (const element of value) text += `${text === '' ? '[' : ','}${canonicalJson(element)}`
    return text === '' ? '[]' : `${text}]`
  }
  const record = value as Readonly<Record<string, unknown>>
  for (const key of sortedKeys(record))
    text += `${text === '' ? '{' : ','}${quote(key)}:${canonicalJson(record[key])}`
  return text === '' ? '{}' : `${text}}`
}

/** By code units. Exports are written in order, so most of the time there is nothing to sort. */
function sortedKeys(record: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.keys(record)
  for (let index = 1; index < keys.length; index++)
    if ((keys[index - 1] as string) > (keys[index] as string)) return keys.sort()
  return keys
}

const charactersToEscape = /[^ !#-[\]-~]/

/** As JSON does; most texts hold nothing that it would write in another way. */
function quote(text: string): string {
  return charactersToEscape.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** A personal value under seal: the chain holds its digest, and whoever has the salt and the value can check them. */
export interface ClearValue {
  readonly salt: string
  readonly value: string
}

export function sealPersonalValues(personal: Readonly<Record<string, string>>) {
  const sealed: Record<string, string> = {}
  const clear: Record<string, ClearValue> = {}
  for (const [name, value] of Object.entries(personal)) {
    const salt = randomBytes(16).toString('hex')
    clear[name] = { salt, value }
    sealed[name] = sealValue({ salt, value })
  }
  return { sealed, clear }
}

export function sealValue({ salt, value }: ClearValue): string {
  return hash('sha256', salt + value)
}
