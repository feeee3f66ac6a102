import assert from 'node:assert/strict'
import type { HistoryOrganization, LearningsInstallation } from './installation.ts'
import type { Model } from './model.ts'

interface Snapshot {
  readonly learnings: readonly {
    readonly id: string
    readonly position: number | null
    readonly [field: string]: unknown
  }[]
  readonly counts: Readonly<Record<string, number>>
  readonly told: readonly string[]
}

const selectSnapshot = `
  select
    coalesce((select json_agg(json_build_object(
      'id', l.id, 'repository', l.repository_id, 'state', l.state, 'text', l.text, 'source', l.source,
      'deadline', extract(epoch from l.deadline) * 1000, 'created', extract(epoch from l.created_at) * 1000,
      'updated', extract(epoch from l.updated_at) * 1000, 'uses', l.usage_count,
      'lastUsed', extract(epoch from l.last_used_at) * 1000, 'position', l.position,
      'origins', array(select o.number || ' ' || extract(epoch from o.at)::bigint * 1000 from learning_origin o
        where o.organization_id = l.organization_id and o.learning_id = l.id order by 1),
      'indexed', array(select i.content_hash = l.content_hash from learning_index i
        where i.organization_id = l.organization_id and i.learning_id = l.id),
      'owed', exists (select from learning_task t where t.organization_id = l.organization_id
        and t.learning_id = l.id and t.kind = 'index'),
      'approval', (select extract(epoch from t.at) * 1000 from learning_task t
        where t.organization_id = l.organization_id and t.learning_id = l.id and t.kind = 'approve')
    ) order by l.id) from learning l where l.organization_id = $1), '[]') as learnings,
    coalesce((select json_object_agg(c.repository_id, c.shared) from learning_count c
      where c.organization_id = $1 and c.shared <> 0), '{}') as counts,
    array(select a.action || ' ' || a.resource_id from audit_log a
      where a.organization_id = $1 and a.resource_type = 'learning' order by 1) as told`

/** Compares rows, states, ids, positions, counts, index, tasks and the audit log with the model. */
export async function compareState(
  { superuser }: LearningsInstallation,
  { id }: HistoryOrganization,
  model: Model,
): Promise<void> {
  const { rows } = await superuser.query<Snapshot>(selectSnapshot, [id])
  const stored = rows[0] ?? assert.fail('PostgreSQL answers one row.')
  assert.deepEqual(
    stored.learnings.map((learning) => ({ ...learning, position: undefined })),
    toExpectedLearnings(model),
  )
  const inOrder = stored.learnings
    .filter(({ position }) => position !== null)
    .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
  const shared = [...model.live.values()].filter(({ state }) => state === 'shared')
  assert.deepEqual(
    inOrder.map((learning) => learning.id),
    shared.toSorted((a, b) => (a.sharePosition ?? 0) - (b.sharePosition ?? 0)).map((learning) => learning.id),
    'the order of positions',
  )
  assert.equal(new Set(inOrder.map(({ position }) => position)).size, inOrder.length, 'a position twice')
  assert.deepEqual(stored.counts, countShared(model))
  assert.deepEqual(
    stored.told.toSorted(),
    model.auditEntries.map((entry) => `${entry.action} ${entry.id}`).toSorted(),
  )
}

function toExpectedLearnings(model: Model) {
  return [...model.live.values()]
    .map((one) => ({
      position: undefined,
      id: one.id as string,
      repository: one.repository,
      state: one.state,
      text: one.text.stored,
      source: one.source,
      deadline: one.deadline,
      created: one.created,
      updated: one.updated,
      uses: one.uses,
      lastUsed: one.lastUsed,
      origins: [...one.origins].map(([number, at]) => `${number} ${at}`).toSorted(),
      indexed: one.indexed === null ? [] : [one.indexed === one.text.identity],
      owed: one.indexPending,
      approval: one.state === 'pending' ? one.deadline : null,
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function countShared(model: Model): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { state, repository } of model.live.values()) {
    if (state !== 'shared') continue
    for (const repositoryKey of ['', repository]) counts[repositoryKey] = (counts[repositoryKey] ?? 0) + 1
  }
  return counts
}
