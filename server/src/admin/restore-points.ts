import { createSigner } from '../access/audit/heads.ts'
import { findLatestSignature } from '../access/audit/heads-file.ts'
import { attestHeads } from '../access/audit/sign-heads.ts'
import { type KnownRestrictions, readRestrictions } from '../bus/restrictions.ts'
import { readAuditSettings, readSettings } from '../config.ts'
import type { Pool } from '../db/connect.ts'
import { pluralize } from '../plural.ts'
import { removeLearning } from '../resources/learnings/write/delete.ts'
import { applyRestrictions } from '../resources/restore-points/apply-restrictions.ts'
import { declareRestorePoint, type RestoreDeclaration } from '../resources/restore-points/declare.ts'
import { confirmRestorePointsUnscoped, listRestorePointsUnscoped } from '../resources/restore-points/sql.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  option,
  parsePastTime,
  timeFormat,
  UsageError,
} from './command.ts'
import type { AdminContext } from './context.ts'
import { drillCommand } from './restore-drill.ts'

const declareCommand = defineCommand({
  name: 'restore-point declare',
  summary: 'After a restore: refuse later cursors, sign where chains end, revoke again',
  environment: [
    'WORKER_DATABASE_URL',
    'METRICS_STORES',
    'AUDIT_SIGNING_KEY',
    'AUDIT_HEADS_FILE',
    'NATS_URL',
    'BUS_PREFIX',
  ],
  options: {
    'restored-to': option.text(
      'TIME',
      'The point in time to which the databases were restored; callers see it',
      { required: true, format: timeFormat },
    ),
    'without-restrictions': option.flag('NATS is lost, and with it what took access away after the point'),
    'dry-run': option.dryRun,
  },
  example: '--restored-to 2026-11-16T04:00:00Z --dry-run',
  async run(admin, { 'restored-to': time, 'without-restrictions': without, 'dry-run': dryRun }) {
    const { pool, now: readClock } = await admin.operator()
    const now = readClock()
    const restoredTo = parsePastTime('restored-to', time, now)
    const { headsFile, attest } = await prepareAttestation(admin, pool, now)
    const known = without
      ? { restrictions: [], until: null }
      : await readRestrictions(await admin.bus(), restoredTo)
    const declaration = { pool, stores: admin.stores(), restoredTo, now, dryRun, attest }
    const { epoch, roots } = await declareRestorePoint(declaration)
    const fields = {
      epoch,
      restored_to: restoredTo.toISOString(),
      roots: roots.length,
      heads_file: headsFile,
      restrictions_until: known.until?.toISOString() ?? null,
      dry_run: dryRun,
    }
    const signed = headsFile === null ? 'nothing is signed' : `restored records are signed in ${headsFile}`
    const positions = `positions of ${pluralize(roots.length, 'tenant root')}`
    if (dryRun)
      return briefOutput(
        `Dry run: ${positions} would be recorded; ${signed}. All sessions and unused links would end, and up to ` +
          `${pluralize(known.restrictions.length, 'change')} that took access away would be made again. ${describeLimit(known)}`,
        { ...fields, restrictions: known.restrictions.length },
      )
    const { commands, ...applied } = await applyRestrictions(pool, roots, known, {
      restoredTo,
      at: now,
      removeLearning,
    })
    for (const command of commands) admin.reportProgress(`Run again: npm run admin -- ${command}`)
    const message =
      `Declared: ${positions} are recorded; ${signed}. ${describeLimit(known)} ` +
      'You can start the service now. Connectors are paused until: npm run admin -- restore-point confirm'
    return { message, fields: { ...fields, ...applied } }
  },
})

function describeLimit({ until }: KnownRestrictions): string {
  const after = until === null ? 'the point' : until.toISOString()
  return `What was taken away after ${after} is not known: take it away by hand.`
}

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

const confirmCommand = defineCommand({
  name: 'restore-point confirm',
  summary: 'After a restore: let connectors run again',
  async run(admin) {
    const { pool, now } = await admin.operator()
    const confirmed = await confirmRestorePointsUnscoped(pool, now())
    const message = confirmed
      ? 'Confirmed: connectors run again.'
      : 'No restore point waits for a confirmation.'
    return briefOutput(message, { confirmed })
  },
})

const listCommand = defineCommand({
  name: 'restore-point list',
  summary: 'List restore points: the times of restore, declaration and confirmation',
  async run(admin) {
    const { pool } = await admin.operator()
    const points = await listRestorePointsUnscoped(pool)
    const rows = points.map(({ epoch, restored_to, declared_at, confirmed_at }) => ({
      epoch,
      restored_to,
      declared_at,
      confirmed_at: confirmed_at ?? 'no: connectors are paused',
    }))
    return { rows, emptyMessage: 'No restore point was declared.' }
  },
})

export const restorePointCommands: readonly AdminCommand[] = [
  declareCommand,
  confirmCommand,
  listCommand,
  drillCommand,
]
