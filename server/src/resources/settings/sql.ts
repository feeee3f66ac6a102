import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId } from '../../ids.ts'
import type { LearningScope } from '../../learning-index/sql.ts'

/** The setting of one level; null = inherited from the level above. */
export interface OwnSetting {
  readonly scope: LearningScope | null
  readonly approval_delay: number | null
}

const lockOrganization = statement(
  'settings.lock',
  'select id from organization where root_id = $1 and id = $2 for no key update',
)

const selectOwnSettings = statement(
  'learnings.own-settings',
  `select s.repository_id, r.name as repository_name, s.scope, s.approval_delay from learning_setting s
   left join repository r on r.root_id = $1 and r.organization_id = $2 and r.provider_repository_id = s.repository_id
   where s.root_id = $1 and s.organization_id = $2 order by s.repository_id`,
)

const upsertSetting = statement(
  'learnings.set',
  `insert into learning_setting (root_id, organization_id, repository_id, scope, approval_delay)
   values ($1, $2, $3, $4, $5)
   on conflict (root_id, organization_id, repository_id)
     do update set scope = excluded.scope, approval_delay = excluded.approval_delay`,
)

const deleteSetting = statement(
  'learnings.unset',
  'delete from learning_setting where root_id = $1 and organization_id = $2 and repository_id = $3',
)

const selectRepositoryName = statement(
  'learnings.repository-of-setting',
  `select name from repository where root_id = $1 and organization_id = $2 and provider_repository_id = $3`,
)

// An instance may be configured not to send the metrics of its organizations.
const selectOrganization = statement(
  'settings.organization',
  `select o.provider_organization_id as organization_id, o.currency, o.metrics_enabled and coalesce((select i.sends_metrics from instance i
       where i.root_id = $1 and i.id = o.instance_id), true) as enabled
   from organization o where o.root_id = $1 and o.id = $2`,
)

/** Must come before the settings are read for a change: until the commit, other changes wait. */
export async function lockSettings(scope: Scope, tx: Tx, organization: OrganizationId): Promise<void> {
  await tx.query(lockOrganization, [scope.root, organization])
}

/** The settings of the organization (repository_id '') and of its repositories. */
export function readOwnSettings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
): Promise<(OwnSetting & { repository_id: string; repository_name: string | null })[]> {
  return tx.query(selectOwnSettings, [scope.root, organization])
}

/** The setting of the organization (repository_id '') or of a repository. */
export function findOwnSetting(
  rows: readonly (OwnSetting & { readonly repository_id: string })[],
  id: string,
): OwnSetting {
  return rows.find(({ repository_id }) => repository_id === id) ?? { scope: null, approval_delay: null }
}

/** Deletes the row if nothing is set, so that the level above applies again. */
export async function writeSetting(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repositoryId: string,
  setting: OwnSetting,
): Promise<void> {
  const key = [scope.root, organization, repositoryId]
  const isEmpty = setting.scope === null && setting.approval_delay === null
  await (isEmpty
    ? tx.query(deleteSetting, key)
    : tx.query(upsertSetting, [...key, setting.scope, setting.approval_delay]))
}

export async function readRepositoryName(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repositoryId: string,
): Promise<string | null> {
  const found = await tx.first<{ name: string }>(selectRepositoryName, [
    scope.root,
    organization,
    repositoryId,
  ])
  return found?.name ?? null
}

interface OrganizationFacts {
  /** Assigned by the Git provider. */
  readonly organization_id: string
  /** The currency of the prices of reviewers; null = none is set. */
  readonly currency: string | null
  /** Whether the metrics of the organization can be read. */
  readonly enabled: boolean
}

export function readOrganization(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
): Promise<OrganizationFacts> {
  return tx.one<OrganizationFacts>(selectOrganization, [scope.root, organization])
}

const updateCurrency = statement(
  'settings.set-currency',
  'update organization set currency = $3 where root_id = $1 and id = $2',
)

export async function writeCurrency(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  currency: string | null,
): Promise<void> {
  await tx.query(updateCurrency, [scope.root, organization, currency])
}

export interface ReviewerPrice {
  readonly price_per_month: number
  /** The first day of the subscription; null = the day of the reviewer's first finding. */
  readonly since: string | null
}

const selectPrices = statement(
  'settings.reviewer-prices',
  `select reviewer, price_per_month, since::text as since from reviewer_price
   where root_id = $1 and organization_id = $2 order by reviewer collate "C"`,
)

const upsertPrices = statement(
  'settings.set-reviewer-prices',
  `insert into reviewer_price (root_id, organization_id, reviewer, price_per_month, since)
   select $1, $2, reviewer, price_per_month, since
   from json_to_recordset($3) as given (reviewer text, price_per_month float8, since date)
   on conflict (root_id, organization_id, reviewer)
     do update set price_per_month = excluded.price_per_month, since = excluded.since`,
)

const deletePrices = statement(
  'settings.unset-reviewer-prices',
  'delete from reviewer_price where root_id = $1 and organization_id = $2 and reviewer = any ($3::text[])',
)

/** By reviewer. */
export async function readReviewerPrices(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
): Promise<ReadonlyMap<string, ReviewerPrice>> {
  const rows = await tx.query<ReviewerPrice & { reviewer: string }>(selectPrices, [scope.root, organization])
  return new Map(rows.map(({ reviewer, ...price }) => [reviewer, price]))
}

/** A price of null is removed. */
export async function writeReviewerPrices(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  prices: ReadonlyMap<string, ReviewerPrice | null>,
): Promise<void> {
  const removed = [...prices].filter(([, price]) => price === null).map(([reviewer]) => reviewer)
  const set = [...prices].flatMap(([reviewer, price]) => (price === null ? [] : [{ reviewer, ...price }]))
  const key = [scope.root, organization]
  await Promise.all([
    removed.length > 0 && tx.query(deletePrices, [...key, removed]),
    set.length > 0 && tx.query(upsertPrices, [...key, JSON.stringify(set)]),
  ])
}
