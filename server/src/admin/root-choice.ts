import type { ChangeContext } from '../access/change-context.ts'
import type { Subscription } from '../access/root.ts'
import { newId, type RootId } from '../ids.ts'
import { findRootUnscoped } from '../resources/workspaces/manage.ts'

import { option, planOption, UsageError } from './command.ts'
import type { AdminContext } from './context.ts'
import { runChange } from './operator.ts'

/** An instance or organization belongs to a tenant root (--root) or is one (--plan, --seats). */
export const rootChoiceOptions = {
  root: option.text('ROOT', 'Tenant root it belongs to: id or name'),
  plan: { ...planOption, summary: 'Plan, if it is its own tenant root' },
  seats: option.integer(0, 1_000_000, 'Number of seats, if it is its own tenant root'),
} as const

interface RootChoice {
  readonly root: string | undefined
  readonly plan: Subscription['plan'] | undefined
  readonly seats: number | undefined
}

/** Runs `work` in the given root, or in a new root with its own subscription. */
export async function changeChosenRoot<Result>(
  admin: AdminContext,
  { root, plan, seats }: RootChoice,
  work: (change: ChangeContext, subscription: Subscription | null) => Promise<Result>,
): Promise<{ readonly root: RootId; readonly result: Result }> {
  if (root !== undefined && (plan !== undefined || seats !== undefined)) {
    throw new UsageError(
      '--plan and --seats cannot be combined with --root: the subscription of the tenant root applies.',
    )
  }
  if (root === undefined && (plan === undefined || seats === undefined)) {
    throw new UsageError(
      'Either --root, or --plan and --seats are required: it belongs to a tenant root or is one.',
    )
  }
  const operator = await admin.operator()
  const id = root === undefined ? newId<RootId>() : (await findRootUnscoped(operator.pool, root)).id
  const subscription = plan === undefined || seats === undefined ? null : { plan, seats, active: true }
  return { root: id, result: await runChange(operator, id, (change) => work(change, subscription)) }
}
