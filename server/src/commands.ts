// Every admin command, in the order of the help.

import { auditCommands } from './admin/audit.ts'
import type { AdminCommand } from './admin/command.ts'
import { connectorCommands } from './admin/connectors.ts'
import { databaseCommands } from './admin/database.ts'
import { deadLetterCommands } from './admin/dead-letters.ts'
import { doctor } from './admin/doctor.ts'
import { instanceCommands } from './admin/instances.ts'
import { keyCommands } from './admin/keys.ts'
import { learningCommands } from './admin/learnings.ts'
import { metricsCommands } from './admin/metrics.ts'
import { organizationCommands } from './admin/organizations.ts'
import { personCommands } from './admin/people.ts'
import { createBatchCommand } from './admin/program.ts'
import { queueCommands } from './admin/queue.ts'
import { restorePointCommands } from './admin/restore-points.ts'
import { roleCommands } from './admin/roles.ts'
import { rootCommands } from './admin/roots.ts'
import { scimCommands } from './admin/scim.ts'
import { workspaceCommands } from './admin/workspaces.ts'

const individualCommands: readonly AdminCommand[] = [
  ...databaseCommands,
  ...restorePointCommands,
  ...workspaceCommands,
  ...instanceCommands,
  ...organizationCommands,
  ...personCommands,
  ...roleCommands,
  ...keyCommands,
  ...connectorCommands,
  ...scimCommands,
  ...metricsCommands,
  ...auditCommands,
  ...learningCommands,
  ...queueCommands,
  ...deadLetterCommands,
  ...rootCommands,
]

export const commands: readonly AdminCommand[] = [
  doctor,
  ...individualCommands,
  createBatchCommand(individualCommands),
]
