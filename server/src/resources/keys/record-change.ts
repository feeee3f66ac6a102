import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { type EventType, emit } from '../../bus/emit.ts'
import type { KeyRow } from './sql.ts'

const actions = {
  'key.created': 'api_key_created',
  'key.rotated': 'api_key_rotated',
  'key.revoked': 'api_key_revoked',
} as const

type KeyChangeFacts = Readonly<Record<string, string | number | boolean | null>>

/** Writes the event and the audit row of a change: ids and states, never the value of the key. */
export async function recordKeyChange(
  { tx, scope, actor, at }: ChangeContext,
  type: Extract<EventType, keyof typeof actions>,
  key: KeyRow,
  facts: KeyChangeFacts,
): Promise<void> {
  const payload = { key_id: key.id, kind: key.kind, organization_id: key.organization_id, ...facts }
  await emit(tx, scope, { type, payload })
  const entry: AuditEntry = {
    action: actions[type],
    resourceType: 'api_key',
    resourceId: key.id,
    organization: key.organization_id,
    actor,
    metadata: {
      kind: key.kind,
      owner_id: key.owner_id,
      instance_id: key.instance_id,
      organization_ids: key.organization_ids,
      permissions: key.permissions,
      ...facts,
    },
    personal: { name: key.name },
    person: key.owner_id,
  }
  await writeAuditEntry(tx, scope, entry, at)
}
