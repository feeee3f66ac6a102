// npm run prove -- NAME                  runs a proof
// npm run prove -- NAME --without-cure   removes the cure from a copy; the proof must then fail
// npm run prove -- all                   runs every proof, with the same options, and ends with one table
// npm run prove -- fuzz --seed SEED      repeats the requests of an earlier run
// npm run prove -- retrieval --embedder URL   measures another model; EMBEDDER_MODEL and the like as for the server
// npm run prove -- same-finding --data FILE   evaluates labelled cases of your own: evals/README.md
// npm run prove -- backfill --pull-requests N   reads fewer than 50,000
import { parseArgs } from 'node:util'
import { runAll } from './tools/run-all.ts'

export interface ProofOptions {
  readonly name: string
  readonly withoutCure: boolean
  /** Fewer trials, for every run of the test suite; the goals stay the same. Without its cure, the first miss may end the proof. */
  readonly quick: boolean
  /** Repeats the choices of an earlier run; only `fuzz` and `parsers` have one. */
  readonly seed?: string | undefined
  /** The EMBEDDER_URL of the model to measure instead of the local one; only for `retrieval`. */
  readonly embedder?: string | undefined
  /** Labelled cases to evaluate instead of our own; evals/README.md has the format. */
  readonly data?: string | undefined
  /** How many the organization has, 50 in each repository, for `backfill`; how many are backed up, for `restore`. */
  readonly pullRequests?: number | undefined
}

interface Proof {
  readonly name: string
  /** For docs/results.md. */
  readonly shows: string
  /** Where it is not `./<name>.ts`. */
  readonly file?: string
}

export const proofs: readonly Proof[] = [
  {
    name: 'revocation',
    shows: 'An invalid credential is rejected on every node, and its streams and jobs stop.',
  },
  {
    name: 'limits',
    shows:
      'Never more than 10 requests in any 60 s over 3 nodes; what a flood and slow bodies of one tenant cost the others.',
  },
  {
    name: 'fairness',
    shows:
      'One tenant takes as much as it can in eight ways; 199 others are not refused; their delay is shown.',
  },
  {
    name: 'isolation',
    shows: '100,000 requests return no data of another tenant, with either layer of isolation off.',
  },
  { name: 'paging', shows: '16 writers, readers with cursors: nothing missed, repeated or out of order.' },
  { name: 'ingest', shows: 'Every process killed under load: no acknowledged event lost or duplicated.' },
  {
    name: 'lost-queue',
    shows: 'The queue is deleted under load: senders that keep their events in a file lose none.',
  },
  {
    name: 'overload',
    shows:
      'Five times what a node can carry: what it accepts is answered soon, the rest is refused with `Retry-After`.',
  },
  {
    name: 'restore',
    shows:
      'The database lost under load and restored to a random point: no event lost, nothing revoked works again.',
  },
  { name: 'move', shows: 'A tenant moved between stores under load: nothing lost or duplicated.' },
  {
    name: 'redaction',
    file: '../evals/run.ts',
    shows: 'Credentials in texts: recall on known and held-out kinds; clean texts are unchanged.',
  },
  {
    name: 'seats',
    shows: '200 concurrent requests for 10 seats: never one too many, every response correct.',
  },
  {
    name: 'offboarding',
    shows: 'Random people leave: the preview is what happens, nothing of theirs works, the receipt verifies.',
  },
  { name: 'audit', shows: 'Tampering is detected offline, writers form one chain, pollers miss nothing.' },
  { name: 'roles', shows: 'A change over 10,000 organizations, killed midway: response and rows agree.' },
  {
    name: 'index',
    // check-imports allows no file called index.
    file: './review-index.ts',
    shows: 'Embedding model and database failing: the Learning index agrees again with the Learnings.',
  },
  {
    name: 'retrieval',
    file: '../evals/run.ts',
    shows: 'How well a review finds the Learnings it needs, and that it returns nothing else.',
  },
  {
    name: 'contradictions',
    file: '../evals/run.ts',
    shows: 'Learnings that contradict each other: precision and recall on labelled pairs, by source.',
  },
  { name: 'lifecycle', shows: '10,000 histories of Learnings against a model: no difference.' },
  {
    name: 'identity',
    file: '../evals/run.ts',
    shows: 'A security finding is recognized when lines move, files are renamed, code is edited.',
  },
  {
    name: 'mutants',
    shows: 'Broken checks of authorization, scope, cursors and limits: the tests catch every one.',
  },
  {
    name: 'failover',
    shows:
      'Three machines lose leaders, nodes, networks, disks and clocks in turn: nothing answered is lost, and for how long nothing is answered.',
  },
  {
    name: 'upgrade',
    shows: 'To the next version and back under load, then its contract: no failed request, nothing lost.',
  },
  {
    name: 'rolling',
    shows:
      'Every process and every machine of three restarted in turn, then an upgrade: no request fails that is repeated once.',
  },
  {
    name: 'fuzz',
    shows:
      'Valid and invalid requests to every operation of openapi.json and of SCIM: no 5xx, no response outside its schema.',
  },
  {
    name: 'sync',
    shows:
      '`metrics sync` of the command line killed at random while others write: its copy equals the export.',
  },
  {
    name: 'rules-files',
    shows:
      'Rules files of seven formats, imported, exported in every form and imported again: nothing is created or changed.',
  },
  {
    name: 'parsers',
    shows: 'Mutated comments of review bots: no text stops a parser, and the slowest is printed.',
  },
  {
    name: 'same-finding',
    file: '../evals/run.ts',
    shows:
      'Findings of two bots about one problem: precision and recall on labelled pairs, a third of them held out.',
  },
  {
    name: 'outcomes',
    file: '../evals/run.ts',
    shows:
      'What became of findings, from git and the words of people: precision on labelled situations, a third held out.',
  },
  {
    name: 'reconcile',
    shows:
      'Histories on fake forges with lost, doubled and late hooks, limits and kills: after one sweep the store equals the model.',
  },
  {
    name: 'backfill',
    shows:
      "A year of pull requests read at GitHub's limits by a simulated clock: no limit met, workers killed, nothing lost.",
  },
  { name: 'sums', shows: 'Every figure of the three summaries of metrics is that of the rows of the lists.' },
]

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      'without-cure': { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      seed: { type: 'string' },
      embedder: { type: 'string' },
      data: { type: 'string' },
      'pull-requests': { type: 'string' },
    },
  })
  // Proofs stop what they started on exit, which an unhandled signal would skip.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const names = proofs.map(({ name }) => name)
  if (positionals[0] === 'all') return runAll('prove', names)
  const proof = proofs.find(({ name }) => name === positionals[0])
  if (proof === undefined) {
    console.error(
      `npm run prove -- NAME [--quick] [--without-cure], where NAME is all or: ${names.join(', ')}`,
    )
    process.exit(2)
  }
  const module = (await import(proof.file ?? `./${proof.name}.ts`)) as {
    prove(options: ProofOptions): Promise<void>
  }
  const { 'without-cure': withoutCure, quick, seed, embedder, data } = values
  const size = values['pull-requests']
  const pullRequests = size === undefined ? undefined : Number(size)
  await module.prove({ name: proof.name, withoutCure, quick, seed, embedder, data, pullRequests })
}

if (import.meta.main) await main()
