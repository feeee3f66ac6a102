// Runs the test suites on real engines: all of them, or the files named as arguments.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { repository, startEngines } from './installation.ts'

const { databaseUrl, natsUrl } = startEngines()
const args = process.argv.slice(2)
const files = args.some((word) => word.endsWith('.ts'))
  ? []
  : globSync(
      [
        'server/{src,test}/**/*.test.ts',
        'demo/**/*.test.ts',
        'fake-forge/test/*.test.ts',
        'scripts/*.test.ts',
        'proofs/**/*.test.ts',
      ],
      { cwd: repository },
    )
// A file waits for the engines much of the time: with a file for each core, cores would be idle.
const options = ['--test', `--test-concurrency=${availableParallelism() + 2}`, '--test-timeout=180000']
const { status } = spawnSync(process.execPath, [...options, ...args, ...files], {
  cwd: repository,
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: databaseUrl, TEST_NATS_URL: natsUrl },
})
process.exitCode = status ?? 1
