import type { Static } from 'typebox'
import { toChange } from '../../access/change-context.ts'
import { findEnabledPlacement } from '../../access/placement.ts'
import type { MetricsStores } from '../../db/stores.ts'
import { refuse } from '../../errors.ts'
import { type RequestContext, requireOrganization } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import type { OrganizationId } from '../../ids.ts'
import { readIfAvailable } from '../../metrics-store/page.ts'
import { readReviewersBefore } from '../../metrics-store/reviewers-sql.ts'
import type { ChangedSettings, SettingName, SettingsChange, SettingsQuery } from './schema.ts'
import {
  findOwnSetting,
  type OwnSetting,
  type ReviewerPrice,
  readOrganization,
  readOwnSettings,
  readReviewerPrices,
} from './sql.ts'
import { requireRepository, setLearningSetting, setReviewerPrices } from './update.ts'

/** The repository of a row that belongs to the whole organization. */
const WHOLE_ORGANIZATION = ''

export async function readSettings(
  context: RequestContext,
  { query }: { readonly query: SettingsQuery },
): Promise<Reply> {
  return ok(await renderSettings(context, requireOrganization(context), query.repository_id ?? null))
}

export async function changeSettings(
  context: RequestContext<MetricsStores>,
  { body }: { readonly body: SettingsChange },
): Promise<Reply> {
  const organization = requireOrganization(context)
  const { repository_id = null, settings } = body
  const wanted = settings.knowledge_base?.learnings ?? {}
  const change = toChange(context)
  const { currency } = settings
  if (repository_id !== null && (settings.reviewers !== undefined || currency !== undefined))
    refuse(
      'INVALID_REQUEST',
      'Prices belong to the organization. Send settings.reviewers and settings.currency without repository_id.',
    )
  if (currency != null && !currencies.has(currency))
    refuse('INVALID_REQUEST', `${currency} is not a currency. Send a code of ISO 4217, such as EUR or USD.`)
  const prices = toPrices(settings.reviewers)
  const warnings = await warnOfUnknownReviewers(context, organization, prices)
  await setLearningSetting(change, organization, repository_id ?? WHOLE_ORGANIZATION, wanted)
  await setReviewerPrices(change, organization, { currency, prices })
  return ok({ ...(await renderSettings(context, organization, repository_id)), warnings })
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

type Prices = ReadonlyMap<string, ReviewerPrice | null>

function toPrices(given: SettingsChange['settings']['reviewers'] = {}): Prices {
  return new Map(
    Object.entries(given).map(([reviewer, price]) => [reviewer, price && { since: null, ...price }]),
  )
}

/** Names a reviewer that is probably mistyped. Nothing is known while the metrics are disabled, moving or unavailable. */
async function warnOfUnknownReviewers(
  { scope, tx, prepared: stores }: RequestContext<MetricsStores>,
  organization: OrganizationId,
  prices: Prices,
): Promise<Static<typeof ChangedSettings>['warnings']> {
  const reviewers = [...prices.keys()].filter((reviewer) => prices.get(reviewer) !== null)
  const placement = reviewers.length === 0 ? null : await findEnabledPlacement(scope, tx)
  if (placement === null) return []
  const access = { scope, placement, stores }
  const known = await readIfAvailable(() => readReviewersBefore(access, organization, reviewers, null))
  if (known === null) return []
  return reviewers
    .filter((reviewer) => !known.has(reviewer))
    .map((reviewer) => ({
      reviewer,
      message: `${reviewer} has no findings yet. Its price is stored. Check the name: it is that of the metrics, with upper and lower case.`,
    }))
}

async function renderSettings(
  { scope, tx }: RequestContext,
  organization: OrganizationId,
  repository_id: string | null,
) {
  const [own, { organization_id, enabled, currency }, prices] = await Promise.all([
    readOwnSettings(scope, tx, organization),
    readOrganization(scope, tx, organization),
    readReviewerPrices(scope, tx, organization),
    repository_id === null ? null : requireRepository(scope, tx, organization, repository_id),
  ])
  const whole = findOwnSetting(own, WHOLE_ORGANIZATION)
  const level = repository_id === null ? whole : findOwnSetting(own, repository_id)
  const learnings = {
    scope: level.scope ?? whole.scope ?? 'auto',
    approval_delay: level.approval_delay ?? whole.approval_delay ?? 0,
  }
  const reviewers = Object.fromEntries(prices)
  const settings = { knowledge_base: { learnings }, metrics: { enabled }, currency, reviewers }
  const inherited = listInherited(level, repository_id !== null)
  if (repository_id !== null || currency === null) inherited.push('currency')
  if (repository_id !== null || prices.size === 0) inherited.push('reviewers')
  return { organization_id, repository_id, settings, inherited }
}

function listInherited({ scope, approval_delay }: OwnSetting, ofRepository: boolean): SettingName[] {
  const names: SettingName[] = []
  if (scope === null) names.push('knowledge_base.learnings.scope')
  if (approval_delay === null) names.push('knowledge_base.learnings.approval_delay')
  if (ofRepository) names.push('metrics.enabled')
  return names
}
