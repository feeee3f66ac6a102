// Every admin command, in the order of the help.

import { auditCommands } from './admin/audit.ts'
import type { AdminCommand } from './admin/command.ts'
import { databaseCommands } from './admin/database.ts'
import { deadLetterCommands, ingestCommands } from './admin/dead-letters.ts'
import { erasureCommands } from './admin/erasure/people.ts'
import { rootCommands } from './admin/erasure/roots.ts'
import { instanceCommands } from './admin/instances.ts'
import { keyCommands } from './admin/keys.ts'
import { pendingCommands } from './admin/learnings/pending.ts'
import { learningCommands } from './admin/learnings/reindex.ts'
import { settingCommands } from './admin/learnings/settings.ts'
import { metricsCommands } from './admin/metrics.ts'
import { organizationCommands } from './admin/organizations.ts'
import { personCommands } from './admin/people.ts'
import { createBatchCommand } from './admin/program.ts'
import { repositoryCommands } from './admin/repositories.ts'
import { roleCommands } from './admin/roles.ts'
import { workspaceCommands } from './admin/workspaces.ts'

const individualCommands: readonly AdminCommand[] = [
  ...databaseCommands,
  ...workspaceCommands,
  ...instanceCommands,
  ...organizationCommands,
  ...repositoryCommands,
  ...personCommands,
  ...erasureCommands,
  ...roleCommands,
  ...keyCommands,
  ...metricsCommands,
  ...auditCommands,
  ...settingCommands,
  ...pendingCommands,
  ...learningCommands,
  ...ingestCommands,
  ...deadLetterCommands,
  ...rootCommands,
]

export const commands: readonly AdminCommand[] = [
  ...individualCommands,
  createBatchCommand(individualCommands),
]
