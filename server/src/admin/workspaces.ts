import { newId, type RootId } from '../ids.ts'
import { createWorkspace, listRootsUnscoped } from '../resources/workspaces/manage.ts'
import { changeNewRoot } from './context.ts'
import { type Command, command, moreAfter, pageOf, pageOptions, planOption } from './line/command.ts'

const create = command({
  name: 'workspace create',
  summary: 'Create a workspace: a tenant root with a subscription',
  options: {
    name: { kind: 'text', takes: 'NAME', required: true, summary: 'Its name' },
    plan: { ...planOption, required: true, summary: 'What was bought' },
    seats: { kind: 'integer', least: 0, most: 1_000_000, required: true, summary: 'Seats that were bought' },
    sso: { kind: 'flag', summary: 'With SSO; workspace tokens need it and the Enterprise plan' },
  },
  example: "--name 'Meridian Freight' --plan enterprise --seats 40 --sso",
  async run(admin, { name, plan, seats, sso }) {
    const root = newId<RootId>()
    const subscription = { plan, seats, active: true }
    await changeNewRoot(admin, root, (change) => createWorkspace(change, { name, sso, subscription }))
    return { said: `Created workspace ${name}.`, facts: { root, name, plan, seats, sso } }
  },
})

const list = command({
  name: 'workspace list',
  summary: 'List tenant roots: workspaces, instances, organizations that stand alone',
  options: {
    kind: {
      kind: 'choice',
      of: ['workspace', 'instance', 'organization'],
      summary: 'Only roots of this kind',
    },
    ...pageOptions,
  },
  example: '--kind workspace',
  async run(admin, values) {
    const { pool } = await admin.operator()
    const page = pageOf(values)
    const roots = await listRootsUnscoped(pool, { ...page, kind: values.kind ?? null })
    const rows = roots.map(({ id, kind, name, sso, created_at }) => ({ id, kind, name, sso, created_at }))
    return { rows, none: 'There is no tenant root yet.', more: moreAfter(rows, page.limit) }
  },
})

export const workspaceCommands: readonly Command[] = [create, list]
