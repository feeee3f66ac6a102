import type { Scope } from '../../access/scope.ts'
import { MAX_INDEX_SCANS } from '../../db/keyset-sql.ts'

/** The part of a root that a caller can read, and the value that its conditions compare with. */
export interface AuditLogScope {
  readonly kind: 'root' | 'organization' | 'organizations' | 'many' | 'instance'
  readonly type: 'uuid' | 'uuid[]' | null
  readonly value: unknown
}

export function toAuditLogScope({ organizations, instance }: Scope): AuditLogScope {
  if (organizations?.length === 1) return { kind: 'organization', type: 'uuid', value: organizations[0] }
  if (organizations !== null) {
    const kind = organizations.length <= MAX_INDEX_SCANS ? 'organizations' : 'many'
    return { kind, type: 'uuid[]', value: organizations }
  }
  if (instance !== null) return { kind: 'instance', type: 'uuid', value: instance }
  return { kind: 'root', type: null, value: null }
}

/** A condition on audit_log. `is not distinct from` prevents the use of the organization index. */
export function renderLogCondition(
  { kind }: AuditLogScope,
  value: string,
  equals: '=' | 'is not distinct from' = '=',
): string {
  switch (kind) {
    case 'root':
      return ''
    case 'organization':
      return ` and organization_id ${equals} ${value}`
    case 'organizations':
      return ` and organization_id ${equals} walked.id`
    case 'many':
      return ` and organization_id = any (${value})`
    case 'instance':
      return ` and organization_id in (select id from organization where root_id = $1 and instance_id = ${value})`
  }
}

/** Leading index column of a scan by organization; empty if the scan mixes organizations. */
export function getIndexPrefix(
  { kind }: AuditLogScope,
  value: string,
): readonly (readonly [string, string])[] {
  switch (kind) {
    case 'organization':
      return [['organization_id', value]]
    case 'organizations':
      return [['organization_id', 'walked.id']]
    case 'root':
    case 'many':
    case 'instance':
      return []
  }
}

/** A condition on audit_count. */
export function renderCountCondition({ kind }: AuditLogScope, value: string): string {
  switch (kind) {
    case 'root':
      return 'organization_id is null and instance_id is null'
    case 'organization':
      return `organization_id = ${value} and instance_id is null`
    case 'organizations':
    case 'many':
      return `organization_id = any (${value}) and instance_id is null`
    case 'instance':
      return `organization_id is null and instance_id = ${value}`
  }
}
