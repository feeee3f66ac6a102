// Compiles the packages that are published: the SDK, the sandbox and the command line, in the order of their imports.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))

for (const folder of ['sdk', 'sandbox', 'cli']) {
  const { status } = spawnSync(`${repository}node_modules/.bin/tsc`, ['-p', folder], {
    cwd: repository,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
  // A package contains only files of its own folder.
  copyFileSync(`${repository}LICENSE`, `${repository}${folder}/LICENSE`)
}
chmodSync(`${repository}cli/dist/scholiast.js`, 0o755)
