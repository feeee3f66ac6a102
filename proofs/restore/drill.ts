import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type EngineFolder,
  enginesScript,
  PG_BIN,
  runAs,
  runOnce,
} from '../../server/test/proofs/own-engines.ts'
import { runAdmin } from '../tools/admin.ts'
import type { Measurement } from '../tools/report.ts'

/** `restore drill` as on the machine of the database: the programs are those of the private root, with its paths. */
export async function measureDrill(
  { inside, outside }: EngineFolder,
  environment: Readonly<Record<string, string>>,
  folder: string,
): Promise<Measurement> {
  const programs: Readonly<Record<string, readonly string[]>> = {
    pgbackrest: ['pgbackrest', `--config=${inside}/backup/pgbackrest.conf`],
    pg_ctl: [`${PG_BIN}/pg_ctl`],
  }
  for (const [name, command] of Object.entries(programs)) {
    const line = [enginesScript, 'run', ...runAs('postgres'), ...command].join(' ')
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${line} "$@"\n`)
    chmodSync(join(folder, name), 0o755)
  }
  runOnce('install', '-d', '-o', 'postgres', '-g', 'postgres', '-m', '700', `${inside}/drill`)
  // The command and the programs must know the folder by one name.
  symlinkSync(outside, inside)
  try {
    const path = `${folder}:${process.env['PATH']}`
    const drill = { ...environment, PATH: path }
    const found = await runAdmin(drill, 'restore', 'drill', '--folder', `${inside}/drill`)
    return {
      measure: `restore drill while events are stored: sound; ${String(found['pull_requests'])} pull requests, ${String(found['audit_rows'])} audit rows`,
      goal: 'sound, seconds shown',
      result: `${String(found['seconds'])} s`,
      met: Number(found['pull_requests']) > 0 && Number(found['audit_rows']) > 0,
    }
  } finally {
    await rm(inside)
  }
}
