// npm run prove -- NAME_WEIGHT                  prove it
// npm run prove -- NAME_WEIGHT --without-cure   take the cure out of a copy and show that the proof then fails
import { parseArgs } from 'node:util'

const names = [
  'revocation',
  'limits',
  'isolation',
  'paging',
  'ingest',
  'move',
  'redaction',
  'seats',
  'audit',
  'roles',
  'index',
  'retrieval',
  'lifecycle',
  'identity',
  'sums',
] as const
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    'without-cure': { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
const name = names.find((known) => known === positionals[0])
if (name === undefined) {
  console.error(
    `npm run prove -- NAME_WEIGHT [--quick] [--without-cure], where NAME_WEIGHT is one of: ${names.join(', ')}`,
  )
  process.exit(2)
}
// Whoever is interrupted still ends what it has started: that happens at its exit, which a signal alone would skip.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
// No file is called index, and a folder of proofs is full.
const elsewhere: Readonly<Record<string, string>> = {
  index: './review-index.ts',
  identity: './identity/prove.ts',
}
const proof = (await import(elsewhere[name] ?? `./${name}.ts`)) as {
  prove(options: ProofOptions): Promise<void>
}
await proof.prove({ withoutCure: values['without-cure'], quick: values.quick })

export interface ProofOptions {
  readonly withoutCure: boolean
  /** Fewer trials, for every run of the test suite; the goals stay the same. */
  readonly quick: boolean
}
