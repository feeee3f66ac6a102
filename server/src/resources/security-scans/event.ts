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
  example: {
    organization: { provider: 'github', id: '41207731' },
    repository: { id: '620118401', name: 'booking-api' },
    scan_id: 'warden-2026-01-30',
    tool: 'Warden',
    category: 'weekly',
    branch: 'main',
    complete: true,
    scanned_at: '2026-01-30T02:00:00Z',
    findings: [
      {
        rule_id: 'sql-injection',
        severity: 'high',
        cwe: 'CWE-89',
        title: 'SQL built from a request parameter',
        description: 'The text of a query is concatenated from values of the request.',
        file_path: 'src/orders/search.ts',
        start_line: 12,
        end_line: 14,
      },
    ],
  },
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
  example: {
    organization: { provider: 'github', id: '41207731' },
    finding_id: '8cce3333-a1e0-5339-8180-0448b33a152a',
    dismissed: true,
    reason: 'false_positive',
    comment: 'The value comes from a constant.',
  },
  findFault: findDismissedFault,
  normalize: normalizeDismissed,
})

export const securityScans: EventFamily = { kinds: [scanned, dismissed], handle: applySecurityEvents }
