import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId } from '../../ids.ts'
import { dayNumberOf, dayOfNumber } from '../week.ts'
import { type CountChange, type CountedPullRequest, changesOf } from './changes.ts'
import { type Kept, ownPlace, type Pieces, piecesOf, sharedPlaces } from './grain.ts'
import { addToStored, categoryOf, cellOf, parseTally, severityOf } from './tally.ts'

const organization_id = 'an organization' as OrganizationId

function pullRequest(over: Partial<CountedPullRequest> = {}): CountedPullRequest {
  const findings = JSON.stringify([
    { severity: 'minor', category: 'security_and_privacy', accepted: true, reviewer: 'one' },
    { severity: 'minor', category: 'security_and_privacy', accepted: null, reviewer: 'one' },
    { severity: null, category: null, accepted: false, reviewer: null },
  ])
  return {
    organization_id,
    instance_id: null,
    day: '2026-01-15',
    repository_id: '1',
    author_id: '2',
    number: 3,
    findings,
    entry: '{}',
    ...over,
  }
}

test('a pull request is counted once at each grain', () => {
  const { own, left, shared } = changesOf([{ before: undefined, after: pullRequest() }])
  assert.deepEqual(left, [])
  const changes = [...own, ...shared]
  assert.deepEqual(
    changes.map(({ grain, period, repository_id, author_id, number }) => [
      grain,
      dayOfNumber(period),
      repository_id,
      author_id,
      number,
    ]),
    [
      ['day', '2026-01-15', '1', '2', 3],
      ['block', '2026-01-05', '1', '2', 0],
      ['repository', '2026-01-12', '1', '', 0],
      ['author', '2026-01-12', '', '2', 0],
      ['total', '2026-01-12', '', '', 0],
    ],
  )
  const cell = cellOf('minor', 'security_and_privacy')
  for (const { tally } of changes)
    assert.equal(addToStored(undefined, tally), `[["one",${cell},2,1,0],[null,255,1,0,1]]`)
})

test('what is written again leaves the places where it was and comes to others', () => {
  const told = ({ grain, author_id, tally }: CountChange) => [
    grain,
    author_id,
    [...tally.values()].flatMap((cells) => [...cells.values()].map(({ posted }) => posted)),
  ]
  const moved = changesOf([{ before: pullRequest(), after: pullRequest({ author_id: null }) }])
  assert.deepEqual(moved.left.map(told), [['day', '2', [-2, -1]]])
  assert.deepEqual(moved.own.map(told), [['day', '', [2, 1]]])
  assert.deepEqual(moved.shared.map(told), [
    ['block', '2', [-2, -1]],
    ['author', '2', [-2, -1]],
    ['block', '', [2, 1]],
    ['author', '', [2, 1]],
  ])
  const same = changesOf([{ before: pullRequest(), after: pullRequest() }])
  assert.deepEqual([same.left, same.own.map(told), same.shared], [[], [['day', '2', [2, 1]]], []])
  const closed = changesOf([{ before: pullRequest(), after: pullRequest({ entry: null }) }])
  assert.deepEqual([closed.left.length, closed.own.length, closed.shared.length], [1, 0, 4])
})

test('a tally is added to what is stored, and what has become nothing is left out', () => {
  const text = '[["a \\"name\\"",0,3,1,1,37,1,0,0],[null,255,2,2,0]]'
  const stored = parseTally(text)
  assert.equal(addToStored(undefined, stored), text)
  assert.deepEqual(
    parseTally(addToStored(text, stored) ?? ''),
    parseTally('[["a \\"name\\"",0,6,2,2,37,2,0,0],[null,255,4,4,0]]'),
  )
  const taken = (reviewer: string | null, cell: number, posted: number, accepted: number) =>
    new Map([[reviewer, new Map([[cell, { posted, accepted, notAccepted: 0 }]])]])
  assert.equal(addToStored(text, taken('a "name"', 37, -1, 0)), '[["a \\"name\\"",0,3,1,1],[null,255,2,2,0]]')
  assert.equal(addToStored('[[null,255,2,2,0]]', taken(null, 255, -2, -2)), null)
  assert.deepEqual([severityOf(0), categoryOf(0)], ['critical', 'data_integrity_and_integration'])
  assert.deepEqual([severityOf(255), categoryOf(255)], [null, null])
})

test('the pieces of any window are its days, each once', () => {
  const kinds: Kept[] = [true, false].flatMap((week) =>
    [true, false].flatMap((repository) => [true, false].map((author) => ({ week, repository, author }))),
  )
  for (let start = 0; start < 28; start += 1) {
    for (const length of [1, 2, 6, 7, 8, 13, 20, 28, 34, 35, 60, 91, 200]) {
      const first = dayNumberOf('2026-01-01') + start
      const last = first + length - 1
      for (const kept of kinds) {
        const pieces = piecesOf(dayOfNumber(first), dayOfNumber(last), kept)
        for (let day = first - 30; day < last + 30; day += 1) {
          const times = timesOf(pieces, dayOfNumber(day))
          assert.equal(times, day >= first && day <= last ? 1 : 0)
        }
      }
    }
  }
})

function timesOf({ grain, before, whole, after }: Pieces, day: string): number {
  const spans = [
    ['day', before],
    [grain, whole],
    ['day', after],
  ] as const
  return spans.filter(([of, [first, last]]) =>
    placesOf(day).some((place) => place.grain === of && place.period >= first && place.period <= last),
  ).length
}

function placesOf(day: string) {
  const placed = { day, repository_id: '1', author_id: '2', number: 3 }
  return [ownPlace(placed), ...sharedPlaces(placed)]
}
