import { readFile, writeFile } from 'node:fs/promises'
import { release } from 'node:os'
import type { Environment } from '../../config.ts'
import type { Pool } from '../../db/connect.ts'
import { runUnscoped } from '../../db/transaction.ts'
import { type Setting, settings } from '../../settings/settings.ts'
import type { Finding } from './finding.ts'
import { estimateRowsUnscoped } from './sql.ts'

const manifest = new URL('../../../package.json', import.meta.url)

/** Writes what a bug report needs: counts, versions, and names that the code chose. Refuses to overwrite a file. */
export async function writeBundle(
  file: string,
  findings: readonly Finding[],
  env: Environment,
  pool: Pool | null,
): Promise<void> {
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const bundle = {
    written_at: new Date().toISOString(),
    versions: { scholiast: version, node: process.version, system: `${process.platform} ${release()}` },
    findings,
    settings: Object.fromEntries(settings.map((setting) => [setting.name, describeSetting(setting, env)])),
    rows: pool && (await runUnscoped(pool, estimateRowsUnscoped, []).catch(() => null)),
  }
  await writeFile(file, `${JSON.stringify(bundle, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
}

/** The value only of a setting that is a number by default. */
function describeSetting({ name, default: usual = '' }: Setting, env: Environment): string | number {
  const value = env[name] ?? ''
  if (/^\d+$/.test(usual) && /^\d{1,15}$/.test(value)) return Number(value)
  return value === '' ? 'not set' : 'set'
}
