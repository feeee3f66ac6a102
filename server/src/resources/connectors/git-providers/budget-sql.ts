import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { ConnectorId, OrganizationId } from '../../../ids.ts'
import {
  type BudgetPolicy,
  type BudgetState,
  blockCalls,
  completeCall,
  type ReservationRequest,
  releaseCall,
  reserveCall,
  type Usage,
} from './budget-state.ts'

export interface BudgetKey {
  readonly organization: OrganizationId
  readonly connector: ConnectorId
  readonly resource: 'rest' | 'graphql'
}

const insertBudget = statement(
  'connectors.insert-budget',
  `insert into connector_budget (root_id, organization_id, connector_id, resource, calls, busy_ms, refilled_at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (root_id, connector_id, resource) do nothing`,
)

// In order of the resource, so that transactions that lock both do not wait for each other.
const selectBudgets = statement(
  'connectors.lock-budgets',
  `select resource, to_json(b) as budget from connector_budget b
   where root_id = $1 and connector_id = $2 and ($3::text is null or resource = $3) order by resource for update`,
)

const updateBudget = statement(
  'connectors.update-budget',
  `update connector_budget b set limit_points = n.limit_points, remaining = n.remaining, resets_at = n.resets_at,
     calls = n.calls, busy_ms = n.busy_ms, refilled_at = n.refilled_at, in_flight = n.in_flight,
     blocked_until = n.blocked_until, blocks = n.blocks
   from json_populate_record(null::connector_budget, $4) n
   where b.root_id = $1 and b.connector_id = $2 and b.resource = $3`,
)

interface LockedBudget {
  readonly resource: BudgetKey['resource']
  readonly budget: BudgetState
}

/** The budget of one resource, or all of the connector. */
function lockBudgets(
  scope: Scope,
  tx: Tx,
  connector: ConnectorId,
  resource: BudgetKey['resource'] | null,
): Promise<LockedBudget[]> {
  return tx.query(selectBudgets, [scope.root, connector, resource])
}

async function writeBudget(
  scope: Scope,
  tx: Tx,
  { connector, resource }: Pick<BudgetKey, 'connector' | 'resource'>,
  budget: BudgetState,
): Promise<void> {
  await tx.query(updateBudget, [scope.root, connector, resource, JSON.stringify(budget)])
}

async function changeBudget(
  scope: Scope,
  tx: Tx,
  key: BudgetKey,
  change: (budget: BudgetState) => BudgetState,
): Promise<void> {
  for (const { budget } of await lockBudgets(scope, tx, key.connector, key.resource))
    await writeBudget(scope, tx, key, change(budget))
}

/** Null = granted; otherwise when to try again. */
export async function reserveBudget(
  scope: Scope,
  tx: Tx,
  key: BudgetKey,
  request: ReservationRequest,
  policy: BudgetPolicy,
): Promise<Date | null> {
  const { organization, connector, resource } = key
  const unused = [policy.callsAtOnce, policy.busyMsAtOnce, request.now]
  const [, [locked]] = await Promise.all([
    tx.query(insertBudget, [scope.root, organization, connector, resource, ...unused]),
    lockBudgets(scope, tx, connector, resource),
  ])
  if (locked === undefined) throw new Error('The budget of the connector was not found.')
  const { budget, retryAt } = reserveCall(locked.budget, request, policy)
  await writeBudget(scope, tx, key, budget)
  return retryAt
}

export async function completeReservation(
  scope: Scope,
  tx: Tx,
  key: BudgetKey,
  call: Pick<ReservationRequest, 'cost' | 'lostAt'>,
  usage: Usage,
): Promise<void> {
  await changeBudget(scope, tx, key, (budget) => completeCall(budget, call, usage))
}

export async function releaseReservation(
  scope: Scope,
  tx: Tx,
  key: BudgetKey,
  lostAt: Date,
  busyMs: number,
): Promise<void> {
  await changeBudget(scope, tx, key, (budget) => releaseCall(budget, lostAt, busyMs))
}

/** Nobody calls this provider for this connector before the time that is returned. */
export async function blockBudget(
  scope: Scope,
  tx: Tx,
  { connector, resource }: BudgetKey,
  { lostAt, busyMs, now }: { readonly lostAt: Date; readonly busyMs: number; readonly now: Date },
  until: Date | null,
): Promise<Date> {
  const locked = await lockBudgets(scope, tx, connector, null)
  const refused = locked.find((one) => one.resource === resource)
  if (refused === undefined) return now
  const blocked = locked.map((one) => ({
    resource: one.resource,
    budget: blockCalls(one.budget, refused.budget, now, until),
  }))
  for (const one of blocked) {
    const budget = one.resource === resource ? releaseCall(one.budget, lostAt, busyMs) : one.budget
    await writeBudget(scope, tx, { connector, resource: one.resource }, budget)
  }
  const ends = blocked.map(({ budget }) => Date.parse(budget.blocked_until))
  return new Date(Math.max(now.getTime(), ...ends))
}
