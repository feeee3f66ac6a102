import { auditChange, type ChangeContext } from '../../access/change-context.ts'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId } from '../../ids.ts'
import {
  findOwnSetting,
  lockSettings,
  type OwnSetting,
  type ReviewerPrice,
  readOrganization,
  readOwnSettings,
  readRepositoryName,
  readReviewerPrices,
  writeCurrency,
  writeReviewerPrices,
  writeSetting,
} from './sql.ts'

const MAX_PRICES = 100

export async function requireRepository(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repositoryId: string,
): Promise<void> {
  if ((await readRepositoryName(scope, tx, organization, repositoryId)) !== null) return
  refuse(
    'NOT_FOUND',
    `The organization has no repository with the id ${repositoryId}. List its repositories first.`,
  )
}

/** Changes the setting of a repository, or of the organization if `repositoryId` is ''. Existing Learnings do not change. */
export async function setLearningSetting(
  change: ChangeContext,
  organization: OrganizationId,
  repositoryId: string,
  wanted: Partial<OwnSetting>,
): Promise<{ readonly changed: boolean; readonly setting: OwnSetting }> {
  const { scope, tx } = change
  if (repositoryId !== '') await requireRepository(scope, tx, organization, repositoryId)
  await lockSettings(scope, tx, organization)
  const own = await readOwnSettings(scope, tx, organization)
  const { scope: learningScope, approval_delay } = findOwnSetting(own, repositoryId)
  const was: OwnSetting = { scope: learningScope, approval_delay }
  const setting = { ...was, ...wanted }
  const changed = setting.scope !== was.scope || setting.approval_delay !== was.approval_delay
  if (!changed) return { changed, setting }
  await writeSetting(scope, tx, organization, repositoryId, setting)
  await auditChange(change, {
    action: 'learning_setting_changed',
    resourceId: repositoryId === '' ? organization : repositoryId,
    organization,
    metadata: { ...setting, scope_before: was.scope, approval_delay_before: was.approval_delay },
    before: { ...was },
    after: setting,
  })
  return { changed, setting }
}

export interface PriceChange {
  /** Undefined = it stays. */
  readonly currency: string | null | undefined
  /** By reviewer; null removes a price. */
  readonly prices: ReadonlyMap<string, ReviewerPrice | null>
}

/** Changes the currency and the prices of the given reviewers. */
export async function setReviewerPrices(
  change: ChangeContext,
  organization: OrganizationId,
  wanted: PriceChange,
): Promise<void> {
  const { scope, tx } = change
  await lockSettings(scope, tx, organization)
  const [known, { currency: currencyBefore }] = await Promise.all([
    readReviewerPrices(scope, tx, organization),
    readOrganization(scope, tx, organization),
  ])
  const changed = new Map(
    [...wanted.prices].filter(([reviewer, price]) => !isSamePrice(known.get(reviewer) ?? null, price)),
  )
  const { currency = currencyBefore } = wanted
  if (changed.size === 0 && currency === currencyBefore) return
  const added = [...changed].filter(([reviewer, price]) => price !== null && !known.has(reviewer)).length
  const removed = [...changed.values()].filter((price) => price === null).length
  if (known.size + added - removed > MAX_PRICES)
    refuse('INVALID_REQUEST', `An organization has at most ${MAX_PRICES} prices. Remove one first.`)
  await writeReviewerPrices(scope, tx, organization, changed)
  if (currency !== currencyBefore) await writeCurrency(scope, tx, organization, currency)
  const reviewers = [...changed.keys()]
  const describe = (prices: ReadonlyMap<string, ReviewerPrice | null>) => ({
    prices: reviewers.map((reviewer) => prices.get(reviewer)?.price_per_month ?? null),
    since: reviewers.map((reviewer) => prices.get(reviewer)?.since ?? null),
  })
  await auditChange(change, {
    action: 'reviewer_price_changed',
    resourceId: organization,
    organization,
    metadata: { reviewers },
    before: { ...describe(known), currency: currencyBefore },
    after: { ...describe(changed), currency },
  })
}

function isSamePrice(a: ReviewerPrice | null, b: ReviewerPrice | null): boolean {
  return a?.price_per_month === b?.price_per_month && a?.since === b?.since
}
