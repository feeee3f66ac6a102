import type { ChangeContext } from '../access/change-context.ts'
import type { Subscription } from '../access/root.ts'
import { newId, type RootId } from '../ids.ts'
import { findRootUnscoped } from '../resources/workspaces/find.ts'
import { planOption, UsageError } from './command.ts'
import type { AdminContext } from './context.ts'
import { runChange } from './operator.ts'

/** How an instance or an organization says whether it belongs to a root or is one. */
export const rootChoiceOptions = {
  root: { kind: 'text', placeholder: 'ROOT', summary: 'The tenant root it belongs to: id or name' },
  plan: { ...planOption, summary: 'What was bought, if it is a root of its own' },
  seats: { kind: 'integer', min: 0, max: 1_000_000, summary: 'Seats that were bought, likewise' },
} as const

interface RootChoice {
  readonly root: string | undefined
  readonly plan: Subscription['plan'] | undefined
  readonly seats: number | undefined
}

/** Runs `work` inside the root that is named, or in a new one with a subscription of its own. */
export async function changeChosenRoot<Result>(
  admin: AdminContext,
  { root, plan, seats }: RootChoice,
  work: (change: ChangeContext, subscription: Subscription | null) => Promise<Result>,
): Promise<{ readonly root: RootId; readonly result: Result }> {
  if (root !== undefined && (plan !== undefined || seats !== undefined)) {
    throw new UsageError('Inside a tenant root, its plan and seats hold: leave --plan and --seats out.')
  }
  if (root === undefined && (plan === undefined || seats === undefined)) {
    throw new UsageError('Give --root to place it in a tenant root, or --plan and --seats to make it one.')
  }
  const operator = await admin.operator()
  const id = root === undefined ? newId<RootId>() : (await findRootUnscoped(operator.pool, root)).id
  const subscription = plan === undefined || seats === undefined ? null : { plan, seats, active: true }
  return { root: id, result: await runChange(operator, id, (change) => work(change, subscription)) }
}
