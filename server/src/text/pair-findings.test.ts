import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ComparableFinding, pairFindings } from './pair-findings.ts'
import { sketchFinding } from './same-finding.ts'

const leak = 'the connection is not closed when query throws'
const bounds = 'loop reads one element beyond the end of rows'

function finding(text: string, startLine: number | null, endLine = startLine): ComparableFinding {
  return { file: 'src/pool.ts', startLine, endLine, sketch: sketchFinding({ title: text, prose: '' }) }
}

describe('the same finding of two reviewers', () => {
  test('has the same file, close lines and a similar sketch [P14-reviewers-2]', () => {
    const one = [finding(leak, 10)]
    deepEqual(pairFindings(one, [finding(leak, 13)]), [[0, 0]])
    deepEqual(pairFindings(one, [finding(leak, 14)]), [], 'four lines apart')
    deepEqual(pairFindings(one, [finding(leak, 4, 12)]), [[0, 0]], 'a range around it')
    deepEqual(pairFindings(one, [finding(bounds, 10)]), [], 'about something else')
    deepEqual(pairFindings(one, [{ ...finding(leak, 10), file: 'src/other.ts' }]), [])
  })

  test('is not guessed where the location or the sketch is unknown', () => {
    deepEqual(pairFindings([finding(leak, null)], [finding(leak, null)]), [])
    deepEqual(pairFindings([{ ...finding(leak, 1), sketch: [] }], [finding(leak, 1)]), [])
    deepEqual(pairFindings([{ ...finding(leak, 1), file: null }], [{ ...finding(leak, 1), file: null }]), [])
  })

  test('is one to one, and the most similar are paired first', () => {
    const similar = finding(`${leak} here`, 10)
    deepEqual(pairFindings([finding(leak, 10), finding(leak, 11)], [similar]), [[0, 0]])
    deepEqual(pairFindings([similar], [finding(`${leak} and more words follow`, 10), finding(leak, 12)]), [
      [0, 1],
    ])
  })
})
