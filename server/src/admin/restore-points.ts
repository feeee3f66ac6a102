import { createSigner } from '../access/audit/heads.ts'
import { findLatestSignature } from '../access/audit/heads-file.ts'
import { attestHeads } from '../access/audit/sign-heads.ts'
import { readAuditSettings, readSettings } from '../config.ts'
import type { Pool } from '../db/connect.ts'
import { pluralize } from '../plural.ts'
import { declareRestorePoint, type RestoreDeclaration } from '../resources/restore-points/declare.ts'
import { listRestorePointsUnscoped } from '../resources/restore-points/sql.ts'
import { type AdminCommand, briefOutput, defineCommand, option, UsageError } from './command.ts'
import type { AdminContext } from './context.ts'

const declareCommand = defineCommand({
  name: 'restore-point declare',
  summary: 'After a restore: refuse later cursors, sign where audit chains end',
  environment: ['WORKER_DATABASE_URL', 'METRICS_STORES', 'AUDIT_SIGNING_KEY', 'AUDIT_HEADS_FILE'],
  options: {
    'restored-to': option.text(
      'TIME',
      'The point in time to which the databases were restored; callers see it',
      {
        required: true,
        format: {
          pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/,
          description: 'a time with its zone, such as 2026-11-16T04:00:00Z',
        },
      },
    ),
    'dry-run': option.dryRun,
  },
  example: '--restored-to 2026-11-16T04:00:00Z --dry-run',
  async run(admin, { 'restored-to': time, 'dry-run': dryRun }) {
    const restoredTo = new Date(time)
    const { pool, now: readClock } = await admin.operator()
    const now = readClock()
    if (Number.isNaN(restoredTo.getTime()) || restoredTo > now)
      throw new UsageError('--restored-to must be a time in the past.')
    const { headsFile, attest } = await prepareAttestation(admin, pool, now)
    const declaration = { pool, stores: admin.stores(), restoredTo, now, dryRun, attest }
    const { epoch, roots } = await declareRestorePoint(declaration)
    const signed = headsFile === null ? 'nothing is signed' : `restored records are signed in ${headsFile}`
    const fields = {
      epoch,
      restored_to: restoredTo.toISOString(),
      roots,
      heads_file: headsFile,
      dry_run: dryRun,
    }
    return dryRun
      ? briefOutput(
          `Dry run: positions of ${pluralize(roots, 'tenant root')} would be recorded; ${signed}.`,
          fields,
        )
      : briefOutput(
          `Declared: positions of ${pluralize(roots, 'tenant root')} are recorded; ${signed}. You can start the service now.`,
          fields,
        )
  },
})

/** A record must be later than every head that it cuts off, so the clocks must agree. */
async function prepareAttestation(
  { env }: AdminContext,
  pool: Pool,
  now: Date,
): Promise<{ headsFile: string | null; attest: RestoreDeclaration['attest'] }> {
  const { signingKey, headsFile } = readSettings(env, readAuditSettings)
  if ((signingKey === null) !== (headsFile === null))
    throw new UsageError('AUDIT_SIGNING_KEY and AUDIT_HEADS_FILE require each other: set both or none.')
  if (signingKey === null || headsFile === null) return { headsFile: null, attest: null }
  const latest = await findLatestSignature(headsFile)
  if (latest !== null && latest >= now)
    throw new UsageError(
      `${headsFile} has a head that was signed at ${latest.toISOString()}, but it is ${now.toISOString()} on this machine. Set its clock.`,
    )
  const signer = createSigner(signingKey)
  return {
    headsFile,
    attest: (records) => attestHeads(pool, signer, headsFile, records, now),
  }
}

const listCommand = defineCommand({
  name: 'restore-point list',
  summary: 'List restore points: the time of each restore and of its declaration',
  async run(admin) {
    const { pool } = await admin.operator()
    const points = await listRestorePointsUnscoped(pool)
    const rows = points.map(({ epoch, restored_to, declared_at }) => ({ epoch, restored_to, declared_at }))
    return { rows, emptyMessage: 'No restore point was declared.' }
  },
})

export const restorePointCommands: readonly AdminCommand[] = [declareCommand, listCommand]
