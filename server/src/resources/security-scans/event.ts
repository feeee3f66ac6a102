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

const normalizeTask = getTask('normalize')

const scanned = defineEventKind({
  type: 'security_scan.completed',
  version: 1,
  summary: 'A tool scanned a repository or a part of it and reports its findings.',
  payload: ScanPayload,
  findFault: findScanFault,
  normalize: (payload) =>
    normalizeTask.isLarge(payload) ? runTask('normalize', payload) : normalizeTask.run(payload),
  isExpensive: (payload) => normalizeTask.isLarge(payload),
})

const dismissed = defineEventKind({
  type: 'security_finding.dismissed',
  version: 1,
  summary: 'A finding was dismissed or reopened.',
  payload: DismissedPayload,
  findFault: findDismissedFault,
  normalize: normalizeDismissed,
})

export const securityScans: EventFamily = { kinds: [scanned, dismissed], handle: applySecurityEvents }
