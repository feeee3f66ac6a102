import { newId, type RootId } from '../ids.ts'
import { createWorkspace } from '../resources/workspaces/create.ts'
import { listRootsUnscoped } from '../resources/workspaces/list.ts'
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
    name: { kind: 'text', placeholder: 'NAME', required: true, summary: 'Its name' },
    plan: { ...planOption, required: true, summary: 'What was bought' },
    seats: { kind: 'integer', min: 0, max: 1_000_000, required: true, summary: 'Seats that were bought' },
    sso: { kind: 'flag', summary: 'With SSO; workspace tokens need it and the Enterprise plan' },
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
  summary: 'List tenant roots: workspaces, instances, organizations that stand alone',
  options: {
    kind: {
      kind: 'choice',
      choices: ['workspace', 'instance', 'organization'],
      summary: 'Only roots of this kind',
    },
    ...pageOptions,
  },
  example: '--kind workspace',
  async run(admin, values) {
    const { pool } = await admin.operator()
    const page = toPage(values)
    const roots = await listRootsUnscoped(pool, { ...page, kind: values.kind ?? null })
    const rows = roots.map(({ id, kind, name, sso, created_at }) => ({ id, kind, name, sso, created_at }))
    return { rows, emptyMessage: 'There is no tenant root yet.', more: renderNextPageHint(rows, page.limit) }
  },
})

export const workspaceCommands: readonly AdminCommand[] = [create, list]
