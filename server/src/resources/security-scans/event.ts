import { defineEventKind, type EventFamily } from '../../bus/ingest-event.ts'
import { applySecurityEvents } from './apply.ts'
import {
  DismissedPayload,
  findDismissedFault,
  findScanFault,
  normalizeDismissed,
  ScanPayload,
} from './payload.ts'
import { runTask } from './thread/run.ts'
import { getTask } from './thread/tasks.ts'

const normalizeTask = getTask('keep')

const scanned = defineEventKind({
  type: 'security_scan.completed',
  version: 1,
  summary: 'A tool has looked through a repository, or a part of it, and found this.',
  payload: ScanPayload,
  findFault: findScanFault,
  normalize: (payload) =>
    normalizeTask.isLarge(payload) ? runTask('keep', payload) : normalizeTask.run(payload),
  isExpensive: (payload) => normalizeTask.isLarge(payload),
})

const dismissed = defineEventKind({
  type: 'security_finding.dismissed',
  version: 1,
  summary: 'Somebody decided that a finding is to be left as it is, or took that back.',
  payload: DismissedPayload,
  findFault: findDismissedFault,
  normalize: normalizeDismissed,
})

export const securityScans: EventFamily = { kinds: [scanned, dismissed], handle: applySecurityEvents }
