// One table for every evaluation: shares with 95 % intervals by set, split and source, then every error by its kind.
import type { Case, Goal, Judged, Measure, Row, Share } from './evaluation.ts'

const Z = 1.959964

/** By Wilson's formula. */
function getInterval({ hits, all }: Share): { readonly low: number; readonly high: number } {
  if (all === 0) return { low: 0, high: 1 }
  const share = hits / all
  const scale = 1 + Z ** 2 / all
  const middle = (share + Z ** 2 / (2 * all)) / scale
  const half = (Z * Math.sqrt((share * (1 - share)) / all + Z ** 2 / (4 * all ** 2))) / scale
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** `0.964 (0.88 to 0.99, 53 of 55)`. */
function renderShare(share: Share): string {
  const { low, high } = getInterval(share)
  const ratio = (share.hits / Math.max(1, share.all)).toFixed(3)
  return `${ratio} (${low.toFixed(2)} to ${high.toFixed(2)}, ${share.hits} of ${share.all})`
}

/** A row for each source, and one for all of them if a split has several. Goals are about the latter. */
export function measureAll(measures: readonly Measure[], judged: readonly Judged[]): Row[] {
  return groupBy(judged, 'set').flatMap(([set, ofSet]) => {
    const inAll = measures.flatMap((measure) =>
      measure.goals?.all === undefined ? [] : toRows([measure], ofSet, { set, split: 'all', source: 'all' }),
    )
    const inSplits = groupBy(ofSet, 'split').flatMap(([split, ofSplit]) => {
      const sources = groupBy(ofSplit, 'source')
      const [[only] = ['all']] = sources.length === 1 ? sources : []
      return [
        ...(only === 'all' ? sources : []).flatMap(([source, ofSource]) =>
          toRows(measures, ofSource, { set, split, source }, false),
        ),
        ...toRows(measures, ofSplit, { set, split, source: only }),
      ]
    })
    return [...inSplits, ...inAll]
  })
}

/** In the order of names: what is held out comes after what rules were chosen on. */
function groupBy(judged: readonly Judged[], field: keyof Case): [string, Judged[]][] {
  return [...Map.groupBy(judged, (one) => one[field])].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function toRows(
  measures: readonly Measure[],
  judged: readonly Judged[],
  of: { readonly set: string; readonly split: string; readonly source: string },
  hasGoals = true,
): Row[] {
  return measures.flatMap(({ name, by, count, goals }) => {
    const share = count(judged.filter((one) => one.by === by))
    if (share === null) return []
    const goal = new Map(Object.entries((hasGoals && goals) || {})).get(of.split)
    const row = { ...of, measure: by === undefined ? name : `${name}, ${by}`, result: renderShare(share) }
    return [goal === undefined ? row : { ...row, ...toGoal(goal, share) }]
  })
}

function toGoal({ min, max }: Goal, { hits, all }: Share): Pick<Row, 'goal' | 'met'> {
  if (max !== undefined) return { goal: `≤ ${max}`, met: hits <= max * all }
  return { goal: `≥ ${min}`, met: all > 0 && hits / all >= (min ?? 0) }
}

const columns = ['set', 'split', 'source', 'measure', 'result', 'goal', 'met'] as const

export function printTable(title: string, rows: readonly Row[]): void {
  const cells = rows.map((row) =>
    columns.map((column) => {
      if (column === 'met') return row.met === undefined ? '' : row.met ? 'yes' : 'NO'
      return String(row[column] ?? '')
    }),
  )
  const table = [[...columns], ...cells]
  const widths = columns.map((_, index) => Math.max(...table.map((row) => row[index]?.length ?? 0)))
  console.log(`\n${title}`)
  for (const row of table)
    console.log(`  ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('   ')}`.trimEnd())
}

/** Cases that the server itself left undecided are only counted. */
export function printErrors(judged: readonly Judged[]): void {
  const errors = judged.filter(({ by, label, answer }) => by === undefined && label !== answer)
  const describe = ({ set, split, source, kind, label, answer }: Judged) =>
    `${set}, ${split}, ${source}: ${kind}: ${label ?? 'nobody can know'}, answered ${answer ?? 'unknown'}`
  if (errors.length > 0) console.log('\n  errors')
  for (const [name, alike] of [...Map.groupBy(errors, describe)].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const ids = new Set(alike.flatMap(({ id, answer }) => (answer === null ? [] : id)))
    console.log(`    ${name}: ${alike.length}${ids.size === 0 ? '' : ` (${[...ids].join('; ')})`}`)
  }
}
