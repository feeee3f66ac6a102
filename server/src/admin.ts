import { once } from 'node:events'
import { IncompleteError } from './admin/command.ts'
import { createAdminContext } from './admin/context.ts'
import { explainFailure } from './admin/output.ts'
import { runCommand } from './admin/program.ts'
import { commands } from './commands.ts'

const admin = createAdminContext(
  process.env,
  (line) => process.stderr.write(`${line}\n`),
  async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  },
)
try {
  const output = await runCommand(admin, commands, process.argv.slice(2))
  if (output !== '') process.stdout.write(`${output}\n`)
} catch (error) {
  if (error instanceof IncompleteError) process.stdout.write(`${error.rendered}\n`)
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exitCode = 1
} finally {
  await admin.close()
}
// The client of NATS leaves the socket of a server that does not respond open.
setTimeout(() => process.exit(), 1_000).unref()
