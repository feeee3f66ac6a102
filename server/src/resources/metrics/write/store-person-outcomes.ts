import { Type } from 'typebox'
import { defineConsumer } from '../../../bus/consumer.ts'
import { eventShape } from '../../../bus/emit.ts'
import type { InstanceId, OrganizationId, RootId } from '../../../ids.ts'
import type { OutcomeEvent } from './review-payload.ts'
import { storeOutcome } from './store-reviews.ts'

const Judged = eventShape(
  'finding.judged',
  Type.Object({
    provider: Type.String(),
    host: Type.String(),
    repository_id: Type.String(),
    number: Type.Integer(),
    finding_id: Type.String(),
    organization_id: Type.String({ format: 'uuid' }),
    provider_organization_id: Type.String(),
    instance_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
    accepted: Type.Union([Type.Boolean(), Type.Null()]),
  }),
)

/** Stores what people say about findings. The same event again is the same outcome, by its id. */
export const personOutcomes = defineConsumer({
  name: 'person-outcomes',
  stream: 'EVENTS',
  subject: 'events.finding.judged',
  schema: Judged,
  async handle(context, { id, root, occurred_at, payload }) {
    const { provider, host, repository_id, number, finding_id, accepted } = payload
    const organization = { provider, host, id: payload.provider_organization_id }
    const event: OutcomeEvent = {
      id,
      type: 'finding.outcome',
      version: 1,
      occurred_at: new Date(occurred_at).toISOString(),
      payload: {
        organization,
        repository: { id: repository_id },
        number,
        finding_id,
        accepted,
        source: 'person',
        rule: 'verdict',
      },
    }
    await storeOutcome(context, root as RootId, {
      event,
      organization: {
        ...organization,
        name: '',
        organization_id: payload.organization_id as OrganizationId,
        instance_id: payload.instance_id as InstanceId | null,
      },
    })
  },
})
