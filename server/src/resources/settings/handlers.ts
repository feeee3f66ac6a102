import { getRequestActor } from '../../access/audit.ts'
import { refuse } from '../../errors.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import type { OrganizationId } from '../../ids.ts'
import type { SettingName, SettingsChange, SettingsQuery } from './schema.ts'
import {
  type OwnSetting,
  readMetricsEnabled,
  readOwnSettings,
  readRepositoryName,
  readReviewerPrices,
} from './sql.ts'
import { setLearningSetting, setReviewerPrices } from './update.ts'

/** The repository of a row that belongs to the whole organization. */
const WHOLE_ORGANIZATION = ''

export async function readSettings(
  context: RequestContext,
  { query }: { readonly query: SettingsQuery },
): Promise<Reply> {
  return renderSettings(context, getOrganization(context), query.repository_id ?? null)
}

export async function changeSettings(
  context: RequestContext,
  { body }: { readonly body: SettingsChange },
): Promise<Reply> {
  const { scope, tx } = context
  const organization = getOrganization(context)
  const { repository_id = null, settings } = body
  const wanted = settings.knowledge_base?.learnings ?? {}
  const change = { scope, tx, actor: getRequestActor(context), at: context.now() }
  if (repository_id !== null && settings.reviewers !== undefined)
    refuse(
      'INVALID_REQUEST',
      'Prices belong to the organization. Send settings.reviewers without repository_id.',
    )
  await setLearningSetting(change, organization, repository_id ?? WHOLE_ORGANIZATION, wanted)
  await setReviewerPrices(change, organization, toPrices(settings.reviewers))
  return renderSettings(context, organization, repository_id)
}

function toPrices(given: SettingsChange['settings']['reviewers'] = {}): ReadonlyMap<string, number | null> {
  return new Map(Object.entries(given).map(([reviewer, value]) => [reviewer, value?.price_per_month ?? null]))
}

function getOrganization({ organization }: RequestContext): OrganizationId {
  if (organization === null) throw new Error('Settings belong to one organization.')
  return organization
}

async function renderSettings(
  { scope, tx }: RequestContext,
  organization: OrganizationId,
  repository_id: string | null,
): Promise<Reply> {
  const [own, enabled, prices, repository] = await Promise.all([
    readOwnSettings(scope, tx, organization),
    readMetricsEnabled(scope, tx, organization),
    readReviewerPrices(scope, tx, organization),
    repository_id === null ? null : readRepositoryName(scope, tx, organization, repository_id),
  ])
  if (repository_id !== null && repository === null)
    refuse(
      'NOT_FOUND',
      `The organization has no repository with the id ${repository_id}. List its repositories first.`,
    )
  const whole = findOwn(own, WHOLE_ORGANIZATION)
  const level = repository_id === null ? whole : findOwn(own, repository_id)
  const learnings = {
    scope: level.scope ?? whole.scope ?? 'auto',
    approval_delay: level.approval_delay ?? whole.approval_delay ?? 0,
  }
  const reviewers = Object.fromEntries(
    [...prices].map(([reviewer, price_per_month]) => [reviewer, { price_per_month }]),
  )
  const settings = { knowledge_base: { learnings }, metrics: { enabled }, reviewers }
  const inherited = listInherited(level, repository_id !== null)
  if (repository_id !== null || prices.size === 0) inherited.push('reviewers')
  return ok({ organization_id: organization, repository_id, settings, inherited })
}

type OwnRow = OwnSetting & { readonly repository_id: string }

function findOwn(rows: readonly OwnRow[], id: string): OwnSetting {
  return rows.find(({ repository_id }) => repository_id === id) ?? { scope: null, approval_delay: null }
}

function listInherited({ scope, approval_delay }: OwnSetting, ofRepository: boolean): SettingName[] {
  const names: SettingName[] = []
  if (scope === null) names.push('knowledge_base.learnings.scope')
  if (approval_delay === null) names.push('knowledge_base.learnings.approval_delay')
  if (ofRepository) names.push('metrics.enabled')
  return names
}
