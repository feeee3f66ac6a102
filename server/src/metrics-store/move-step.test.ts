import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ArrivalProgress, type MoveHead, type MovePlacement, nextStep } from './move-step.ts'

const MOVE = 7
const moving: MovePlacement = { store: 'shared', moving_to: 'isolated', leaving: null, move: MOVE }
const copying: ArrivalProgress = { stage: 'copying', table: 'outcome', after: ['x', 1], rows: 3 }

function head(state: MoveHead['state'], move: number, arrival: ArrivalProgress | null = null): MoveHead {
  return { position: 1, largest_entry: 0, largest_review: 0, largest_mcp: 0, state, move, arrival }
}

const fenced = head('moved', MOVE)

test('each state of the two stores has one next step', () => {
  const cases = [
    ['fence', null, null],
    ['fence', head('active', 0), null],
    ['fence', head('active', MOVE - 1), head('moved', MOVE - 1)],
    ['claim', fenced, null],
    ['claim', fenced, head('moved', MOVE - 1)],
    ['claim', fenced, head('incoming', MOVE - 2, copying)],
    ['clear', fenced, head('incoming', MOVE, { stage: 'clearing' })],
    ['copy', fenced, head('incoming', MOVE, copying)],
    ['open', fenced, head('incoming', MOVE, { stage: 'copied', rows: 3 })],
    ['settle', fenced, head('active', MOVE)],
  ] as const
  for (const [step, from, to] of cases) assert.equal(nextStep(moving, from, to), step)
})

test('rows in the old store are deleted, then the move is complete', () => {
  const settled = { ...moving, store: 'isolated', moving_to: null }
  assert.equal(nextStep({ ...settled, leaving: 'shared' }, fenced, head('active', MOVE)), 'sweep')
  assert.equal(nextStep(settled, fenced, head('active', MOVE)), 'rest')
})

test('an inconsistent state stops the move before any change', () => {
  const stuck = [
    [/also active in "isolated"/, head('active', 3), head('active', 2)],
    [/should be active in "shared", but its state there is moved/, head('moved', 3), null],
    [/should be active in "shared", but its state there is incoming/, head('incoming', 3, copying), null],
    [/later move than metrics_placement/, head('active', MOVE + 1), null],
    [/later move than metrics_placement/, fenced, head('moved', MOVE + 1)],
    [/head in "isolated" has no arrival progress/, fenced, fenced],
  ] as const
  for (const [pattern, from, to] of stuck) assert.throws(() => nextStep(moving, from, to), pattern)
})
