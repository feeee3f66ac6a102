import { newId, type RootId } from '../ids.ts'
import { createWorkspace, listRootsUnscoped } from '../resources/workspaces/manage.ts'

import {
  type AdminCommand,
  defineCommand,
  pageOptions,
  planOption,
  renderNextPageHint,
  toPage,
} from './command.ts'
import { changeNewRoot } from './context.ts'

const create = defineCommand({
  name: 'workspace create',
  summary: 'Create a workspace: a tenant root with a subscription',
  options: {
    name: { kind: 'text', placeholder: 'NAME', required: true, summary: 'Name of the workspace' },
    plan: { ...planOption, required: true, summary: 'Plan of the subscription' },
    seats: { kind: 'integer', min: 0, max: 1_000_000, required: true, summary: 'Number of seats' },
    sso: { kind: 'flag', summary: 'Enable SSO; workspace tokens require SSO and the Enterprise plan' },
  },
  example: "--name 'Meridian Freight' --plan enterprise --seats 40 --sso",
  async run(admin, { name, plan, seats, sso }) {
    const root = newId<RootId>()
    const subscription = { plan, seats, active: true }
    await changeNewRoot(admin, root, (change) => createWorkspace(change, { name, sso, subscription }))
    return { message: `Created workspace ${name}.`, fields: { root, name, plan, seats, sso } }
  },
})

const list = defineCommand({
  name: 'workspace list',
  summary: 'List tenant roots: workspaces, standalone instances and organizations',
  options: {
    kind: {
      kind: 'choice',
      choices: ['workspace', 'instance', 'organization'],
      summary: 'Only tenant roots of this kind',
    },
    ...pageOptions,
  },
  example: '--kind workspace',
  async run(admin, values) {
    const { pool } = await admin.operator()
    const page = toPage(values)
    const roots = await listRootsUnscoped(pool, { ...page, kind: values.kind ?? null })
    const rows = roots.map(({ id, kind, name, sso, created_at }) => ({ id, kind, name, sso, created_at }))
    return { rows, emptyMessage: 'There are no tenant roots.', more: renderNextPageHint(rows, page.limit) }
  },
})

export const workspaceCommands: readonly AdminCommand[] = [create, list]
