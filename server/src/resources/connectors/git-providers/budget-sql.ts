import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { ConnectorId, OrganizationId } from '../../../ids.ts'
import type { WorkClass } from './provider-client.ts'

export interface BudgetKey {
  readonly organization: OrganizationId
  readonly connector: ConnectorId
  readonly resource: 'rest' | 'graphql'
}

export interface BudgetPolicy {
  /** Length of the provider's window. */
  readonly windowSeconds: number
  /** Calls that may be sent at once, and how many more become possible each minute. */
  readonly callsAtOnce: number
  readonly callsPerMinute: number
  /** The same for response time, by which GitHub says to estimate the CPU time that it limits. */
  readonly busyMsAtOnce: number
  readonly busyMsPerMinute: number
  readonly maxInFlight: number
}

export interface ReservationRequest {
  readonly now: Date
  readonly cost: number
  readonly workClass: WorkClass
  /** When the call counts as lost, so that its slot is free again. */
  readonly lostAt: Date
}

export interface Usage {
  /** What the provider reported; null = nothing that can be relied on. `off` = it has no limits. */
  readonly limit:
    | { readonly points: number; readonly remaining: number; readonly resetsAt: Date }
    | 'off'
    | null
  /** What the call really cost. */
  readonly cost: number
  readonly busyMs: number
}

// A backfill must leave half of the limit to live work, in proportion to the time that is left, and never less than a twentieth.
// What live work did not use is free for the backfill towards the end of the window.
const reserve = statement(
  'connectors.reserve-budget',
  `insert into connector_budget as budget
     (root_id, organization_id, connector_id, resource, calls, busy_ms, refilled_at, in_flight)
   values ($1, $2, $3, $4, $9::float8 - 1, $11::float8, $5, array[$8::timestamptz])
   on conflict (root_id, connector_id, resource) do update
   set (limit_points, remaining, resets_at, calls, busy_ms, refilled_at, in_flight, retry_at) = (
     select budget.limit_points, left_points - case when refused_until is null then $6::int else 0 end, next_reset,
       calls_now - case when refused_until is null then 1 else 0 end, busy_now, greatest(budget.refilled_at, $5),
       case when refused_until is null then slots || $8::timestamptz else slots end, refused_until
     from (
       select *, greatest(
           case when budget.blocked_until > $5 then budget.blocked_until end,
           case when left_points - $6::int < reserved_points then
             case when $7 = 'live' or left_points - $6::int < budget.limit_points * 0.05
                 then coalesce(next_reset, $5 + interval '1 minute')
               else greatest($5 + interval '1 second', coalesce(next_reset, $5 + interval '1 minute')
                 - make_interval(secs => $14::float8 * 2 * (left_points - $6::int) / budget.limit_points)) end end,
           case when calls_now < 1 then $5 + make_interval(secs => (1 - calls_now) * 60 / $10::float8) end,
           case when busy_now < 0 then $5 + make_interval(secs => -busy_now * 60 / $12::float8) end,
           case when cardinality(slots) >= $13::int then $5 + interval '0.25 seconds' end
         ) as refused_until
       from (
         select *, case when $7 = 'live' then 0 else budget.limit_points * greatest(0.05,
             0.5 * coalesce(extract(epoch from next_reset - $5)::float8 / $14::float8, 1)) end as reserved_points
         from (
           select
             case when budget.resets_at <= $5 then budget.limit_points else budget.remaining end as left_points,
             case when budget.resets_at > $5 then budget.resets_at end as next_reset,
             least($9::float8, budget.calls + passed * $10::float8 / 60) as calls_now,
             least($11::float8, budget.busy_ms + passed * $12::float8 / 60) as busy_now,
             array(select lost_at from unnest(budget.in_flight) lost_at where lost_at > $5) as slots
           from (select greatest(0, extract(epoch from $5 - budget.refilled_at)::float8) as passed) as elapsed
         ) as refilled
       ) as shared
     ) as decided
   )
   returning ceil(extract(epoch from retry_at) * 1000)::float8 as retry_ms`,
)

/** Null = granted; otherwise when to try again. */
export async function reserveBudget(
  scope: Scope,
  tx: Tx,
  { organization, connector, resource }: BudgetKey,
  { now, cost, workClass, lostAt }: ReservationRequest,
  policy: BudgetPolicy,
): Promise<Date | null> {
  const [row] = await tx.query<{ retry_ms: number | null }>(reserve, [
    scope.root,
    organization,
    connector,
    resource,
    now,
    cost,
    workClass,
    lostAt,
    policy.callsAtOnce,
    policy.callsPerMinute,
    policy.busyMsAtOnce,
    policy.busyMsPerMinute,
    policy.maxInFlight,
    policy.windowSeconds,
  ])
  return typeof row?.retry_ms === 'number' ? new Date(row.retry_ms) : null
}

/** Removes one entry; a call that counts as lost has none any more. */
const withoutCall = `case when array_position(in_flight, $4::timestamptz) is null then in_flight
       else in_flight[: array_position(in_flight, $4::timestamptz) - 1]
         || in_flight[array_position(in_flight, $4::timestamptz) + 1 :] end`

// Responses arrive in any order: within a window the lower figure is right, a window that ends earlier is the previous one.
const complete = statement(
  'connectors.complete-budget',
  `update connector_budget set
     in_flight = ${withoutCall},
     busy_ms = busy_ms - $5::float8, blocks = 0,
     limit_points = case when $6 then null else coalesce($7::int, limit_points) end,
     remaining = case
       when $6 then null
       when $7::int is null then remaining + $10::int
       when resets_at is null then least(coalesce(remaining + $10::int, $8::int), $8::int)
       when $9::timestamptz > resets_at + interval '5 seconds' then $8::int
       when $9::timestamptz < resets_at - interval '5 seconds' then remaining
       else least(remaining + $10::int, $8::int) end,
     resets_at = case when $6 then null else greatest(resets_at, $9::timestamptz) end
   where root_id = $1 and connector_id = $2 and resource = $3`,
)

export async function completeReservation(
  scope: Scope,
  tx: Tx,
  { connector, resource }: BudgetKey,
  { cost, lostAt }: Pick<ReservationRequest, 'cost' | 'lostAt'>,
  usage: Usage,
): Promise<void> {
  const { limit } = usage
  const reported = limit === 'off' ? null : limit
  await tx.query(complete, [
    scope.root,
    connector,
    resource,
    lostAt,
    usage.busyMs,
    limit === 'off',
    reported?.points ?? null,
    reported?.remaining ?? null,
    reported?.resetsAt ?? null,
    cost - usage.cost,
  ])
}

// Each refusal in succession doubles the time. Those of calls that were in flight together count as one.
const block = statement(
  'connectors.block-budget',
  `update connector_budget budget set
     blocks = case when budget.resource = $3 and (budget.blocked_until > $4) is not true then budget.blocks + 1
       else budget.blocks end,
     blocked_until = greatest(budget.blocked_until, $5::timestamptz,
       case when $5::timestamptz is null and (refused.blocked_until > $4) is not true
         then $4 + least(interval '1 hour', interval '1 minute' * power(2, least(refused.blocks, 10))) end)
   from connector_budget refused
   where budget.root_id = $1 and budget.connector_id = $2
     and refused.root_id = $1 and refused.connector_id = $2 and refused.resource = $3
   returning ceil(extract(epoch from budget.blocked_until) * 1000)::float8 as blocked_ms`,
)

/** Nobody calls this provider for this connector before the time that is returned. */
export async function blockBudget(
  scope: Scope,
  tx: Tx,
  { connector, resource }: BudgetKey,
  now: Date,
  until: Date | null,
): Promise<Date> {
  const rows = await tx.query<{ blocked_ms: number }>(block, [scope.root, connector, resource, now, until])
  return new Date(Math.max(now.getTime(), ...rows.map(({ blocked_ms }) => blocked_ms)))
}

// The call was not answered: its slot is free, its cost counts as used.
const release = statement(
  'connectors.release-budget',
  `update connector_budget set
     in_flight = ${withoutCall},
     busy_ms = busy_ms - $5::float8
   where root_id = $1 and connector_id = $2 and resource = $3`,
)

export async function releaseReservation(
  scope: Scope,
  tx: Tx,
  { connector, resource }: BudgetKey,
  lostAt: Date,
  busyMs: number,
): Promise<void> {
  await tx.query(release, [scope.root, connector, resource, lostAt, busyMs])
}
