// npm run bench -- NAME [--quick]   runs a benchmark
// npm run bench -- all [--quick]    runs every benchmark and ends with one table
import { runAll } from '../proofs/tools/run-all.ts'

interface Benchmark {
  readonly name: string
  /** For docs/results.md. */
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
  {
    name: 'compare',
    measures:
      'This checkout and another revision (`--base REVISION`, by default the one before), each with its own schema.',
  },
  {
    name: 'histories',
    measures:
      'Responses of this checkout and of another revision (`--base REVISION`) after the same random histories of events.',
  },
]

if (import.meta.main) {
  const names = benchmarks.map(({ name }) => name)
  const chosen = process.argv[2] ?? ''
  if (chosen === 'all') {
    process.once('SIGTERM', () => process.exit(1))
    await runAll('bench', names)
  } else if (names.includes(chosen)) {
    await import(`./${chosen}.ts`)
  } else {
    console.error(`npm run bench -- NAME [--quick], where NAME is all or: ${names.join(', ')}`)
    process.exit(2)
  }
}
