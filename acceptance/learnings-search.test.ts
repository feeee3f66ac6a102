import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertErrors } from '../cli/src/conformance/http.ts'
import {
  askLearnings,
  instanceOrganizations,
  type Learning,
  ownFile,
  readLearnings,
  secondRepository,
  share,
  textsOf,
  write,
} from './learnings-data.ts'
import { at, organizationsOf } from './service.ts'

const file = ownFile()
// Short: what is random in a text moves its meaning a little.
const stamp = file.slice('acceptance/'.length, 'acceptance/'.length + 8)
const about = {
  money: `Amounts of money are kept as whole cents, never as floating point numbers. ${stamp}`,
  time: `Store every timestamp in UTC and convert it to the local zone only when it is displayed. ${stamp}`,
  retry: `Retry a failed network call with exponential backoff and a random delay. ${stamp}`,
  secrets: `Do not write passwords or access tokens to the logs. ${stamp}`,
  tests: `Every bug fix comes with a regression test that fails without it. ${stamp}`,
}
const elsewhere = `Amounts of money are rounded half to even, in the terminals. ${stamp}`
const foreign = `Amounts of money on the instance are kept as decimals. ${stamp}`

before(async () => {
  const [money, ...others] = Object.values(about)
  await write([
    { learning: at([money], 0) as string, file },
    ...others.map((learning) => ({ learning, file, repository_id: secondRepository.repository_id })),
  ])
  const sibling = at(organizationsOf('workspace'), 1)
  const repository_id = at(sibling.repositories, 0).repository_id
  const organization = { provider: 'github', id: sibling.org_id }
  await share({ organization, repository_id, learning: elsewhere, file })
  await share({ ...at(instanceOrganizations, 0), learning: foreign, file }, 'instance')
})

function searchFor(words: string, more = ''): string {
  return `search=${encodeURIComponent(words)}${more}`
}

/** Only those of this run, in the order in which they were told. */
function own(learnings: readonly Learning[]): string[] {
  return textsOf(learnings).filter((text) => text.includes(stamp))
}

test('search finds Learnings by meaning, the best first, also those that share no word with it [S-lother-2 P7-get-3 P11-search-1]', async () => {
  for (const [words, expected] of [
    ['use integers for currency, not decimals or doubles', about.money],
    ['save dates in GMT, show them in the region of the reader', about.time],
    ['if a connection breaks, try it again later, waiting longer each round', about.retry],
  ] as const) {
    const { data } = await readLearnings(searchFor(words, `&files=${file}`))
    assert.equal(own(data)[0], expected, words)
    const stems = (text: string) =>
      (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).map((word) => word.slice(0, 4))
    assert.deepEqual(
      stems(words).filter((stem) => stems(expected.replace(stamp, '')).includes(stem)),
      [],
      words,
    )
  }
})

test('a search returns matches only, with their score, in this order; nonsense finds nothing [P11-search-1]', async () => {
  for (const words of ['qwxz vbnm zzkq', '?!', '🙂🙂', '1 2 3', 'asdf qwer zxcv'])
    assert.deepEqual((await readLearnings(searchFor(words))).data, [], words)
  const { data } = await readLearnings(searchFor('retries of passwords', `&files=${file}`))
  assert.deepEqual(own(data).toSorted(), [about.retry, about.secrets].toSorted())
  const scores = data.map((one) => (one as { score?: number }).score ?? -1)
  assert.ok(
    scores.every((score) => score >= 0 && score <= 1),
    JSON.stringify(scores),
  )
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
  for (const one of (await readLearnings(`files=${file}`)).data) assert.ok(!('score' in one))
})

test('a search says how it was ranked, also as CSV; a list does not [P11-ranked-1]', async () => {
  for (const [words, rankedBy] of [
    ['money in cents', 'meaning'],
    // Without a word there is nothing to embed.
    ['?!', 'words'],
  ] as const) {
    const query = searchFor(words, `&files=${file}`)
    assert.equal((await readLearnings(query)).ranked_by, rankedBy, words)
    const table = await askLearnings(`${query}&format=csv`)
    assert.equal(table.headers.get('x-ranked-by'), rankedBy, words)
    const elsewhereOnly = await readLearnings(`${query}&organization_ids=nothing`)
    assert.deepEqual([elsewhereOnly.data, elsewhereOnly.ranked_by], [[], rankedBy])
  }
  assert.ok(!('ranked_by' in (await readLearnings(`files=${file}`))))
  assert.equal((await askLearnings(`files=${file}&format=csv`)).headers.get('x-ranked-by'), null)
})

test('a search is one page: next_cursor is null although there are more, limit holds, and a cursor is 400 [P7-get-3]', async () => {
  const query = (limit: number) => searchFor('money passwords test', `&files=${file}&limit=${limit}`)
  const all = await readLearnings(query(200))
  assert.ok(all.data.length > 2, `${all.data.length}`)
  for (const limit of [1, 2]) {
    const { data, next_cursor } = await readLearnings(query(limit))
    assert.deepEqual([textsOf(data), next_cursor], [textsOf(all.data).slice(0, limit), null])
  }
  const page = await readLearnings(`files=${file}&limit=1`)
  assertErrors(await askLearnings(searchFor('money', `&cursor=${page.next_cursor}`)), 400, 'INVALID_CURSOR')
  assertErrors(await askLearnings(searchFor('money', '&cursor=')), 400, 'INVALID_CURSOR')
  const table = await askLearnings(searchFor('money', `&files=${file}&format=csv`))
  assert.equal(table.headers.get('x-next-cursor'), null)
  assert.ok(table.text.includes(about.money))
})

test('a search that is blank or too long is 400 INVALID_REQUEST [P7-get-3]', async () => {
  for (const words of ['', ' ', '\t\n', 'x'.repeat(1001)]) {
    assertErrors(await askLearnings(searchFor(words)), 400, 'INVALID_REQUEST', words)
  }
  assert.equal((await askLearnings(searchFor('😀'.repeat(1000)))).status, 200)
})

test('filters narrow a search as they narrow a list [P7-get-3]', async () => {
  const returned = async (more: string) => own((await readLearnings(searchFor('money in cents', more))).data)
  const { repository_id } = secondRepository
  assert.ok((await returned(`&files=${file}`)).includes(about.money))
  assert.ok(!(await returned(`&files=${file}&repository_ids=${repository_id}`)).includes(about.money))
  assert.deepEqual(await returned(`&files=${ownFile()}`), [])
  assert.deepEqual(await returned('&user_ids=nobody'), [])
  assert.deepEqual(await returned(`&files=${file}&stat_filter=active`), [])
  assert.ok((await returned(`&files=${file}&stat_filter=never_used`)).includes(about.money))
})

test('a search returns nothing from an organization outside the key’s scope [P7-get-3]', async () => {
  const words = searchFor('amounts of money', `&files=${file}`)
  const returned = async (key: 'user' | 'workspace' | 'instance' | 'other_tenant') =>
    own((await readLearnings(words, key)).data)
      .filter((text) => text.startsWith('Amounts'))
      .sort()
  assert.deepEqual(await returned('user'), [about.money])
  assert.deepEqual(await returned('workspace'), [about.money, elsewhere].sort())
  assert.deepEqual(await returned('instance'), [foreign])
  assert.deepEqual(await returned('other_tenant'), [])
})
