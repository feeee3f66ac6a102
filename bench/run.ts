// npm run bench -- NAME [--quick]

interface Benchmark {
  readonly name: string
  /** For docs/proofs.md. */
  readonly measures: string
}

export const benchmarks: readonly Benchmark[] = [
  {
    name: 'organizations',
    measures: 'Requests per second of a list of organizations, compared with the same statements in pgbench.',
  },
  { name: 'page', measures: 'Pages of `/v1/metrics/review-comments`, compared with the bare statement.' },
  { name: 'reviews', measures: 'Pages of `/v1/metrics/reviews`, compared with the bare statement.' },
  { name: 'growth', measures: 'The cost of a page as the store grows.' },
  {
    name: 'ingest',
    measures: 'Events per second from HTTP to the committed row, and bytes per pull request.',
  },
  { name: 'learnings', measures: 'Searches and batch writes as the number of Learnings grows.' },
  { name: 'audit', measures: 'Pages and counts of the audit log as it grows.' },
  { name: 'summary', measures: 'The time of a summary as the number of pull requests grows.' },
  {
    name: 'startup',
    measures: 'Start-up of `scholiast --help` beside Node.js, and of a command with one request beside curl.',
  },
  {
    name: 'cli',
    measures: 'An export by the command line compared with curl of the same pages, and its memory.',
  },
  {
    name: 'dashboard',
    measures:
      'Overview in a browser with a million findings: from a filter to new data, and its largest paint.',
  },
  { name: 'compare', measures: 'This checkout and another revision (`--base REVISION`), on the same rows.' },
]

if (import.meta.main) {
  const benchmark = benchmarks.find(({ name }) => name === process.argv[2])
  if (benchmark === undefined) {
    const names = benchmarks.map(({ name }) => name).join(', ')
    console.error(`npm run bench -- NAME [--quick], where NAME is one of: ${names}`)
    process.exit(2)
  }
  await import(`./${benchmark.name}.ts`)
}
