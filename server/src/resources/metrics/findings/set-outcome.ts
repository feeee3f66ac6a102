import { auditChange, toChange } from '../../../access/change-context.ts'
import { emit } from '../../../bus/emit.ts'
import { refuse } from '../../../errors.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import type { Reply } from '../../../http/reply.ts'
import { readInStore } from '../../../metrics-store/page.ts'
import { requireMetrics } from '../request.ts'
import { getKeyPrefix, toFindingRecords } from './record.ts'
import type { FindingRecord, OutcomeBody } from './schema.ts'
import { findByPrefix, type PullRequestCandidate } from './sql.ts'

/**
 * The audit row and the event commit together. The worker stores the outcome, because the API may not write metrics, and the
 * metrics of the root may be in another database or on the move.
 */
export async function setFindingOutcome(
  context: RequestContext,
  { params, body }: { readonly params: { readonly id: string }; readonly body: OutcomeBody },
): Promise<Reply> {
  const { scope, tx } = context
  const { accepted } = body
  const { pullRequest, finding } = await findFinding(context, params.id.toLowerCase())
  const { id, finding_id, pull_request_key } = finding
  await emit(tx, scope, {
    type: 'finding.judged',
    payload: {
      provider: pullRequest.provider,
      host: pullRequest.host,
      repository_id: pullRequest.repository,
      number: pullRequest.number,
      finding_id,
      organization_id: pullRequest.organizationId,
      provider_organization_id: pullRequest.organization,
      instance_id: pullRequest.instanceId,
      accepted,
    },
  })
  await auditChange(toChange(context), {
    action: accepted === null ? 'finding_outcome_withdrawn' : 'finding_outcome_set',
    resourceId: id,
    organization: pullRequest.organizationId,
    metadata: { pull_request_key },
    before: { accepted: finding.accepted, source: finding.source },
    after: { accepted, source: 'person' },
  })
  return {
    status: 202,
    body: { json: { id, finding_id, pull_request_key, accepted, source: 'person' } },
  }
}

async function findFinding(
  context: RequestContext,
  id: string,
): Promise<{ readonly pullRequest: PullRequestCandidate; readonly finding: FindingRecord }> {
  const access = requireMetrics(context)
  const candidates = await readInStore(access, (tx) =>
    findByPrefix(access.scope, tx, getKeyPrefix(id), access.placement.inactive),
  )
  for (const pullRequest of candidates) {
    const finding = toFindingRecords(pullRequest).find((record) => record.id === id)
    if (finding !== undefined) return { pullRequest, finding }
  }
  return refuse('NOT_FOUND', 'The organization has no finding with this id. List its findings first.')
}
