import { newId, type RootId } from '../ids.ts'
import { createWorkspace } from '../resources/workspaces/manage.ts'
import { readRootsUnscoped } from '../resources/workspaces/sql.ts'

import { type AdminCommand, defineCommand, listPage, option, planOption } from './command.ts'
import { runChange } from './operator.ts'

const create = defineCommand({
  name: 'workspace create',
  summary: 'Create a workspace: a tenant root with a subscription',
  options: {
    name: option.text('NAME', 'Name of the workspace', { required: true }),
    plan: { ...planOption, required: true, summary: 'Plan of the subscription' },
    seats: option.integer(0, 1_000_000, 'Number of seats', { required: true }),
    sso: option.flag('Enable SSO; workspace tokens require SSO and the Enterprise plan'),
  },
  example: "--name 'Meridian Freight' --plan enterprise --seats 40 --sso",
  async run(admin, { name, plan, seats, sso }) {
    const root = newId<RootId>()
    const subscription = { plan, seats, active: true }
    await runChange(await admin.operator(), root, (change) =>
      createWorkspace(change, { name, sso, subscription }),
    )
    return { message: `Created workspace ${name}.`, fields: { root, name, plan, seats, sso } }
  },
})

const list = defineCommand({
  name: 'workspace list',
  summary: 'List tenant roots: workspaces, standalone instances and organizations',
  options: {
    kind: option.choice(['workspace', 'instance', 'organization'], 'Only tenant roots of this kind'),
    ...option.page,
  },
  example: '--kind workspace',
  run: (admin, values) =>
    listPage(values, 'There are no tenant roots.', async (page) => {
      const { pool } = await admin.operator()
      const roots = await readRootsUnscoped(pool, { ...page, kind: values.kind ?? null })
      return roots.map(({ id, kind, name, sso, created_at }) => ({ id, kind, name, sso, created_at }))
    }),
})

export const workspaceCommands: readonly AdminCommand[] = [create, list]
