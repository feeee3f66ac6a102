import { openHouse } from './admin/house.ts'
import { explainFailure } from './admin/line/explain.ts'
import { runCommand } from './admin/line/run.ts'
import { commands } from './commands.ts'

const house = openHouse(process.env, (line) => process.stderr.write(`${line}\n`))
try {
  const answer = await runCommand(house, commands, process.argv.slice(2))
  process.stdout.write(`${answer}\n`)
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exitCode = 1
} finally {
  await house.close()
}
