import { compareNullsLast } from '../groups.ts'

interface InternedName {
  readonly bytes: Buffer
  readonly number: number
}

/** Assigns numbers to JSON names in a buffer, comparing bytes to avoid a string per occurrence. */
export class NameInterner {
  readonly #names: (string | null)[] = []
  readonly #byHash = new Map<number, InternedName[]>()

  intern(bytes: Buffer, from: number, to: number): number {
    let hash = 0
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0
    const interned = this.#byHash.get(hash)?.find((one) => equalsBytes(one.bytes, bytes, from, to))
    return interned?.number ?? this.#add(hash, Buffer.from(bytes.subarray(from, to)))
  }

  /** JSON can encode one name in several ways, so different bytes can be the same name. */
  #add(hash: number, bytes: Buffer): number {
    const name = JSON.parse(bytes.toString()) as string | null
    const index = this.#names.indexOf(name)
    const number = index === -1 ? this.#names.push(name) - 1 : index
    this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), { bytes, number }])
    return number
  }

  /** Sorted by name; unknown names last. */
  sortedByName(): { readonly number: number; readonly name: string | null }[] {
    return this.#names
      .map((name, number) => ({ number, name }))
      .sort((a, b) => compareNullsLast(a.name, b.name))
  }
}

function equalsBytes(name: Buffer, bytes: Buffer, from: number, to: number): boolean {
  if (name.length !== to - from) return false
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[from + at]) return false
  return true
}
