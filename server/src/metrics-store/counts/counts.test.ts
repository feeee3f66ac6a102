import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCalendarDay, toDayNumber } from '../week.ts'
import {
  BLOCK_DAYS,
  type DayRange,
  type NeededDimensions,
  splitWindow,
  toBlockStart,
  type WindowSplit,
} from './grain.ts'
import { categoryOf, severityOf, tallyFindings, toCell } from './tally.ts'

test('the findings of a pull request are counted by reviewer, severity and category', () => {
  const finding = { severity: 'minor', category: 'security_and_privacy', reviewer: 'a "name"' }
  const unknown = { severity: null, category: null, reviewer: null }
  const cell = toCell('minor', 'security_and_privacy')
  assert.equal(
    tallyFindings([
      { ...finding, accepted: true },
      { ...unknown, accepted: false },
      { ...finding, accepted: null },
      { ...finding, accepted: true, severity: 'critical', category: 'data_integrity_and_integration' },
    ]),
    `[["a \\"name\\"",${cell},2,1,0,0,1,1,0],[null,255,1,0,1]]`,
  )
  assert.deepEqual([severityOf(0), categoryOf(0)], ['critical', 'data_integrity_and_integration'])
  assert.deepEqual([severityOf(255), categoryOf(255)], [null, null])
})

test('a reviewer named "null" is not the unknown reviewer', () => {
  const finding = { severity: null, category: null, accepted: null }
  assert.equal(
    tallyFindings([
      { ...finding, reviewer: null },
      { ...finding, reviewer: 'null' },
    ]),
    '[[null,255,1,0,0],["null",255,1,0,0]]',
  )
})

const daysByGrain = { block: BLOCK_DAYS, repository: 7, author: 7, total: 7 } as const

test('the parts of a window cover each of its days once', () => {
  const kinds: NeededDimensions[] = [true, false].flatMap((week) =>
    [true, false].flatMap((repository) => [true, false].map((author) => ({ week, repository, author }))),
  )
  for (let start = 0; start < 28; start += 1) {
    for (const length of [1, 2, 6, 7, 8, 13, 20, 28, 34, 35, 60, 91, 200]) {
      const first = toDayNumber('2026-01-01') + start
      const last = first + length - 1
      for (const needed of kinds) {
        const windowSplit = splitWindow(toCalendarDay(first), toCalendarDay(last), needed)
        for (let day = first - 30; day < last + 30; day += 1)
          assert.equal(countCoverage(windowSplit, day), day >= first && day <= last ? 1 : 0)
      }
    }
  }
})

/** How often a day is read: alone, or in a period that begins within the whole ones. */
function countCoverage({ grain, before, whole, after }: WindowSplit, day: number): number {
  const holds = ([first, last]: DayRange, what: number) => what >= first && what <= last
  const period = day - (day % daysByGrain[grain])
  return [holds(before, day), holds(whole, period), holds(after, day)].filter(Boolean).length
}

test('weeks and blocks start on a Monday, and a block has whole weeks', () => {
  const block = toCalendarDay(toBlockStart('2026-01-15'))
  assert.equal(block, '2026-01-05')
  assert.equal(new Date(block).getUTCDay(), 1)
})
