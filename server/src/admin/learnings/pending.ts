import { readPendingLearnings } from '../../resources/learnings/settings-sql.ts'
import { findOrganizationByText } from '../../resources/organizations/list-all.ts'
import {
  type AdminCommand,
  defineCommand,
  organizationOption,
  pageOptions,
  renderNextPageHint,
  rootOption,
  toPage,
} from '../command.ts'
import { changeRoot } from '../context.ts'

const pending = defineCommand({
  name: 'learnings pending',
  summary: 'List the Learnings that wait for approval',
  options: {
    root: rootOption,
    organization: organizationOption,
    ...pageOptions,
    text: { kind: 'flag', summary: 'Show what they say, too' },
  },
  example: "--root 'Meridian Freight' --organization 41207731",
  async run(admin, values) {
    const page = toPage(values)
    const found = await changeRoot(admin, values.root, async ({ scope, tx }) => {
      const { id } = await findOrganizationByText(scope, tx, values.organization)
      return readPendingLearnings(scope, tx, id, page)
    })
    const rows = found.map((row) => ({
      id: row.id,
      repository: row.repository_id,
      source: row.source,
      deadline: row.deadline === null ? null : new Date(row.deadline).toISOString(),
      author: row.author_username ?? row.author_id,
      proposed: new Date(row.created_at).toISOString(),
      ...(values.text ? { learning: row.text.replaceAll(/\s+/g, ' ') } : {}),
    }))
    return {
      rows,
      emptyMessage: 'No Learning of this organization waits for approval.',
      more: renderNextPageHint(found, page.limit),
    }
  },
})

export const pendingCommands: readonly AdminCommand[] = [pending]
