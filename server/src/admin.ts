import { once } from 'node:events'
import { openHouse } from './admin/house.ts'
import { explainFailure } from './admin/line/explain.ts'
import { runCommand } from './admin/line/run.ts'
import { commands } from './commands.ts'

const house = openHouse(
  process.env,
  (line) => process.stderr.write(`${line}\n`),
  async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  },
)
try {
  const answer = await runCommand(house, commands, process.argv.slice(2))
  if (answer !== '') process.stdout.write(`${answer}\n`)
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exitCode = 1
} finally {
  await house.close()
}
