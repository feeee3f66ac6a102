/** One line of a proof or benchmark: the measure, its goal and its result. */
export interface Measurement {
  readonly measure: string
  readonly goal: string
  readonly result: string | number
  readonly met: boolean
}

/** Prints the table and sets the exit code to 1 if a goal was missed. */
export function report(title: string, measurements: readonly Measurement[]): void {
  print(title, measurements)
  if (measurements.some(({ met }) => !met)) process.exitCode = 1
}

/** One measurement for each missing cure: the proof fails, as it must, only if each of them was noticed. */
export function reportWithoutCures(title: string, measurements: readonly Measurement[]): void {
  print(title, measurements)
  const unnoticed = measurements.filter(({ met }) => met)
  for (const { measure } of unnoticed) console.log(`The missing cure was not noticed: ${measure}`)
  if (unnoticed.length === 0) process.exitCode = 1
}

function print(title: string, measurements: readonly Measurement[]): void {
  const rows = measurements.map(({ measure, goal, result, met }) => [
    measure,
    goal,
    String(result),
    met ? 'yes' : 'NO',
  ])
  const table = [['measure', 'goal', 'result', 'met'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  console.log(`\n${title}`)
  for (const row of table)
    console.log(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')}`)
}
