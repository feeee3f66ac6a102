import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Calibration, getCalibration, wordsCalibration } from './calibration.ts'
import { readQueryTerms, renderChangedLines, sortByLikelyRarity } from './query.ts'
import { type Candidate, createRanker } from './rank.ts'

const ranker = createRanker()
const calibration: Calibration = { similarity: 1, terms: 0.4, floor: 0.4, unsharedFloor: 0.5, strong: 0.6 }

function candidate(id: string, text: string, more: Partial<Candidate> = {}): Candidate {
  return { id, text, file: null, similarity: null, ...more }
}

function rank(
  text: string,
  candidates: readonly Candidate[],
  files: readonly string[] = [],
  by = calibration,
) {
  return ranker.rank({ terms: readQueryTerms(text), files }, candidates, by)
}

const guidance = [
  candidate('timeout', 'Outgoing HTTP calls need a timeout.'),
  candidate('alt', 'Images need an alternative text.'),
  candidate('log', 'Never write passwords to the log.'),
  candidate('index', 'Add an index for every foreign key.'),
  candidate('name', 'Use `getUserId` instead of reading the header.'),
]

test('finds a name in any spelling, and the reason says so', () => {
  const terms = readQueryTerms('', '+  const id = get_user_id(request)')
  const [best] = ranker.rank({ terms, files: [] }, guidance, wordsCalibration)
  assert.equal(best?.id, 'name')
  assert.equal(best?.match, 'strong')
  assert.equal(best?.reason, 'Mentions `getUserId`.')
})

test('without a model, terms alone decide; a word that no candidate has is no match [P11-search-2]', () => {
  const [best, ...others] = rank('an index on the foreign key', guidance, [], wordsCalibration)
  assert.equal(best?.id, 'index')
  assert.notEqual(best?.match, 'none')
  assert.ok(others.every(({ match, sharesTerm }) => match === 'none' && !sharesTerm))
  assert.ok(rank('zebras graze', guidance, [], wordsCalibration).every(({ match }) => match === 'none'))
})

test('the calibration of a model: stored, else shipped, else that of words; also without a vector', () => {
  const toModels = (model: string, calibrations = new Map<string, Calibration>()) => ({
    active: { model },
    calibrations,
  })
  const vector = new Float32Array([1, 0])
  const shipped = getCalibration(toModels('local-minilm-1'), vector)
  assert.ok(shipped.similarity > 0)
  const stored = new Map([['local-minilm-1', calibration]])
  assert.equal(getCalibration(toModels('local-minilm-1', stored), vector), calibration)
  assert.equal(getCalibration(toModels('http:unknown:64', stored), vector), wordsCalibration)
  assert.equal(getCalibration(toModels('local-minilm-1'), null), wordsCalibration)
  assert.equal(getCalibration({ active: null }, vector), wordsCalibration)
})

test('floor and strong threshold decide on the match; scores are from 0 to 1, best first', () => {
  const similarities = [0.1, 0.7, 0.45, 0.39]
  const candidates = similarities.map((similarity) =>
    candidate(String(similarity), 'Zebras graze.', { similarity }),
  )
  const other = candidate('other', 'Hold the mutex.', { similarity: -1 })
  const ranked = rank('mutex', [...candidates, other]).filter(({ id }) => id !== 'other')
  assert.deepEqual(
    ranked.map(({ id, match }) => [id, match]),
    [
      ['0.7', 'strong'],
      ['0.45', 'weak'],
      ['0.39', 'none'],
      ['0.1', 'none'],
    ],
  )
  assert.ok(ranked.every(({ score }) => score >= 0 && score <= 1))
  assert.equal(ranked[0]?.reason, 'Close in meaning.')
})

test('a match is strong if it is close in meaning or shares two rare words, not for one shared word', () => {
  const common = Array.from({ length: 30 }, (_, index) =>
    candidate(`c${index}`, 'Return early from handlers.'),
  )
  const mutex = candidate('mutex', 'Hold the mutex while you flush.', { similarity: 0.35 })
  const matchOf = (text: string, similarity = 0.35) => {
    const ranked = rank(text, [...common, { ...mutex, similarity }])
    return ranked.find(({ id }) => id === 'mutex')?.match
  }
  assert.equal(matchOf('the mutex of the handler returns'), 'weak')
  assert.equal(matchOf('flush under the mutex'), 'strong')
  assert.equal(matchOf('early handlers', 0.7), 'strong')
})

test('two weak matches need the floor, those that follow half the way to strong', () => {
  const similarities = [0.46, 0.45, 0.44, 0.43]
  const alike = similarities.map((similarity) => candidate(`${similarity}`, 'Zebras graze.', { similarity }))
  const known = candidate('known', 'Type qwertz.', { similarity: -1 })
  const found = rank('qwertz', [...alike, known]).filter(({ match }) => match !== 'none')
  assert.deepEqual(
    found.map(({ id, match }) => [id, match]),
    [
      ['0.46', 'weak'],
      ['0.45', 'weak'],
    ],
  )
})

test('a query whose words no candidate has needs a higher score', () => {
  const candidates = [0.45, 0.7].map((similarity) =>
    candidate(`${similarity}`, 'Zebras graze.', { similarity }),
  )
  const matches = (list: readonly Candidate[]) => rank('qwertz', list).map(({ id, match }) => [id, match])
  assert.deepEqual(matches(candidates), [
    ['0.7', 'strong'],
    ['0.45', 'none'],
  ])
  const familiar = [...candidates, candidate('known', 'Type qwertz.', { similarity: 0 })]
  assert.equal(new Map(matches(familiar) as [string, string][]).get('0.45'), 'weak')
})

test('a rare term weighs more than a common one, and one common word is not met whole', () => {
  const common = Array.from({ length: 20 }, (_, index) => candidate(`c${index}`, 'Return early.'))
  const ranked = rank('return the mutex', [...common, candidate('rare', 'Hold the mutex.')])
  assert.equal(ranked[0]?.id, 'rare')
  const [alone] = rank('return', common, [], wordsCalibration)
  assert.equal(alone?.match, 'none')
})

test('a Learning written for a folder applies to the files below it, with or without a slash at the end', () => {
  const files = ['src/billing/tax/rates.ts']
  const learnings = [
    'src/billing',
    'src/billing/',
    './src/billing',
    'src/bill',
    'docs',
    'src/billing/tax/rates.ts',
  ]
  const ranked = rank(
    'zebras',
    learnings.map((file) => candidate(file, 'Keep handlers short.', { file })),
    files,
  )
  const matches = new Map(ranked.map(({ id, match }) => [id, match]))
  for (const file of ['src/billing', 'src/billing/', './src/billing'])
    assert.equal(matches.get(file), 'weak', file)
  for (const file of ['src/bill', 'docs']) assert.equal(matches.get(file), 'none', file)
  assert.equal(ranked[0]?.id, 'src/billing/tax/rates.ts')
  assert.equal(ranked.find(({ id }) => id === 'src/billing')?.reason, 'Written for src/billing.')
  const byFileAlone = rank('', [candidate('folder', 'Keep handlers short.', { file: 'src/billing' })], files)
  assert.equal(byFileAlone[0]?.match, 'strong')
})

test('a Learning written for the pull request applies to it, whatever it says', () => {
  const [found] = rank('zebras', [candidate('own', 'Keep handlers short.', { ofPullRequest: true })])
  assert.equal(found?.match, 'weak')
  assert.equal(found?.reason, 'Written for this pull request.')
})

test('ranks equal texts by file, then folder, then files beside it, then language', () => {
  const files = ['docs/a.md', 'src/billing/tax.ts', 'src/billing/invoice.ts', 'web/x.tsx', 'src/billing']
  const candidates = files.map((file) => candidate(file, 'Keep handlers short.', { file }))
  assert.deepEqual(
    rank('anything', candidates, ['src/billing/invoice.ts']).map(({ id }) => id),
    ['src/billing/invoice.ts', 'src/billing', 'src/billing/tax.ts', 'web/x.tsx', 'docs/a.md'],
  )
})

test('a reason names the rarest shared words as the Learning writes them, and the folder', () => {
  const retry = candidate('retry', 'Payment calls are retried with the same key.', { file: 'src/billing' })
  const ranked = rank('retry the payment', [retry, ...guidance], ['src/billing/pay.ts'])
  const { reason } = ranked.find(({ id }) => id === 'retry') ?? assert.fail()
  assert.match(
    reason,
    /^Mentions `(?:Payment` and `retried|retried` and `Payment)`; written for src\/billing\.$/,
  )
})

test('the order depends neither on the order of the candidates nor on earlier calls', () => {
  const order = (list: readonly Candidate[]) => rank('log timeouts', list).map(({ id }) => id)
  const expected = order(guidance)
  rank('something about images and keys', guidance)
  assert.deepEqual(order(guidance.toReversed()), expected)
  assert.deepEqual(rank('', []), [])
})

test('the terms of a diff are those that it adds or removes, not those on both sides', () => {
  const terms = readQueryTerms('', '-const limit = 50\n+const limit = Number(query.pageSize)')
  assert.deepEqual([...terms.keys()].toSorted(), [
    'number',
    'page',
    'pagesize',
    'query',
    'query.pagesize',
    'size',
  ])
  assert.equal(readQueryTerms('3.14159 42 ?!').size, 0)
  assert.equal(sortByLikelyRarity(terms)[0], 'query.pagesize')
  assert.equal(renderChangedLines('-old\n+new'), 'old\nnew')
})
