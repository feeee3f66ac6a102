import { startApi } from '../server/test/process.ts'
import { createOffboardingFixture } from '../server/test/proofs/offboarding-fixture.ts'
import { checkReceipts } from './offboarding/receipts.ts'
import { type Caller, createTally, runTrial, type Tally } from './offboarding/trial.ts'
import type { ProofOptions } from './run.ts'
import { runConcurrently } from './tools/client.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

const ORGANIZATIONS = 5
// The endpoint admits 3 requests of an organization at a time.
const CONCURRENCY = 3

const cures: readonly SourceEdit[] = [
  // Keys of one kind are forgotten.
  {
    file: 'resources/people/deprovision-sql.ts',
    name: 'revokeKeys',
    by: `const revokeKeys = statement('people.end-most-keys', \`update api_key set revoked_at = $4
      where root_id = $1 and owner_id = $2 and revoked_at is null and ($3::uuid is null or organization_id = $3)
        and (expires_at is null or expires_at > $4) and kind <> 'agentic'
      returning id, kind, name, organization_id\`)`,
  },
  // A key can be created while its owner is being offboarded.
  {
    file: 'resources/keys/sql.ts',
    name: 'lockOwner',
    by: "const lockOwner = statement('keys.owner', 'select id from person where root_id = $1 and id = $2')",
  },
]

const limitsOff = {
  LIMIT_SEATS: 'off',
  LIMIT_OFFBOARDING_DRY_RUNS: 'off',
  LIMIT_KEYS: 'off',
  LIMIT_AUDIT: 'off',
}

/** Random people are offboarded: the preview is what happens, nothing of theirs works, and the receipt verifies off-line. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const people = quick ? 60 : 1_000
  const copy = withoutCure ? await copyWithout(cures) : null
  const fixture = await createOffboardingFixture(ORGANIZATIONS)
  const nodes = await Promise.all([1, 2, 3].map(() => startApi(fixture.database, limitsOff, copy?.apiEntry)))
  const callers: Caller[] = nodes.map(({ url }) => ({ url }))
  const tally = createTally()
  try {
    await runConcurrently(people, CONCURRENCY, 'people', (index) => runTrial(fixture, callers, index, tally))
    const unverified = await checkReceipts(fixture, callers, tally.receipts)
    const title = `offboarding: ${people} random people, ${ORGANIZATIONS + 1} organizations, 3 API processes`
    report(
      withoutCure ? `${title}, without the revocation of one kind of key and the lock on owners` : title,
      toMeasurements(tally, people, unverified),
    )
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await fixture.close()
    await copy?.remove()
  }
}

function toMeasurements(tally: Tally, people: number, unverified: number): Measurement[] {
  const expectZero = (measure: string, result: number) => ({ measure, goal: '0', result, met: result === 0 })
  const { receipts, refused, keys, sessions, ...rest } = tally
  return [
    {
      measure: 'people offboarded, or refused by their role',
      goal: `${people}`,
      result: `${receipts.length} + ${refused}`,
      met: receipts.length + refused === people,
    },
    expectZero('requests with an unexpected response', rest.unexpected),
    expectZero('previews that differ from the response of the change', rest.previewDiffers),
    expectZero('previews that differ from the rows that changed', rest.rowsDiffer),
    expectZero(`keys and sessions that work afterwards, of ${keys} and ${sessions}`, rest.accepted),
    expectZero(`keys outside of the request that were refused, of ${rest.kept}`, rest.lost),
    expectZero(`keys created during ${rest.races} offboardings that are left`, rest.lateKeys),
    expectZero(`receipts that do not verify off-line, of ${receipts.length}`, unverified),
  ]
}
