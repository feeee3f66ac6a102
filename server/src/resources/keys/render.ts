import type { KeyDetailsRow } from './sql.ts'

export function renderKeyFields(key: KeyDetailsRow) {
  const { id, name, kind, prefix, last_four, org_id, owner_id, owner_name } = key
  return {
    id,
    name,
    kind,
    prefix,
    last_four,
    org_id,
    owner: owner_id && { cr_user_id: owner_id, name: owner_name ?? '' },
    created_at: key.created_at,
    expires_at: key.expires_at,
    last_used_at: key.last_used_at,
  }
}

export function renderKey(key: KeyDetailsRow) {
  return { ...renderKeyFields(key), permissions: key.permissions }
}
