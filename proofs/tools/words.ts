import { existsSync, writeFileSync } from 'node:fs'

/**
 * Versions before the sentence model do not start without their word vectors, and packing those takes minutes. They get one
 * word here: such a version embeds unknown words by their letters, which is enough to compare it with this one.
 */
export async function provideWords(server: string): Promise<void> {
  const format = `${server}/src/text/words/format.ts`
  if (!existsSync(format)) return
  const { encodeWords } = (await import(format)) as { readonly encodeWords: (words: object) => Buffer }
  const dimensions = 100
  const words = encodeWords({
    dimensions,
    terms: ['word'],
    frequencies: Float32Array.of(1e-6),
    scales: Float32Array.of(1),
    kinStarts: Uint32Array.of(0, 0),
    kin: new Uint32Array(),
    kinLikeness: new Uint8Array(),
    subjectStarts: Uint32Array.of(0, 0),
    subjects: new Uint16Array(),
    subjectShares: new Uint8Array(),
    subjectCount: 0,
    vectors: new Int8Array(dimensions).fill(1),
    fingerprint: '0'.repeat(64),
  })
  writeFileSync(`${server}/words.bin`, words)
}
