const names = [
  'organizations',
  'page',
  'reviews',
  'growth',
  'ingest',
  'learnings',
  'audit',
  'summary',
  'compare',
] as const
const name = names.find((known) => known === process.argv[2])
if (name === undefined) {
  console.error(`npm run bench -- NAME_WEIGHT [--quick], where NAME_WEIGHT is one of: ${names.join(', ')}`)
  process.exit(2)
}
await import(`./${name}.ts`)
