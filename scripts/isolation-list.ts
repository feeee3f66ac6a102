// The table in SECURITY.md that says which rows row-level security keeps apart, read from the policies in server/schema.sql.

const marker = /(<!-- generated: isolation -->\n)[^]*?(<!-- \/generated -->)/

const groups = {
  organization: 'tenant root, organization and instance',
  'organization-or-root':
    'tenant root, organization and instance; a row without an organization belongs to the root, and a scope of one organization does not see it',
  root: 'tenant root',
} as const

type Group = keyof typeof groups

/** Throws if the page has no place for the table. */
export function fillIsolationList(page: string, schema: string): string {
  if (!marker.test(page)) throw new Error('SECURITY.md has no list "isolation".')
  return page.replace(marker, (_, start: string, end: string) => `${start}${renderList(schema)}\n${end}`)
}

function renderList(schema: string): string {
  const policies = [...schema.matchAll(/^CREATE POLICY (\w+) ON public\.(\w+) ([^;]+);/gm)]
  const tenant = policies
    .filter(([, name]) => name === 'tenant')
    .map(([, , table = '', rule = '']) => ({ table, group: classify(rule) }))
  const lines = (Object.keys(groups) as Group[]).map((group) => {
    const tables = tenant.filter((policy) => policy.group === group).map(({ table }) => table)
    return `| ${groups[group]} | ${renderTables(tables)} |`
  })
  const open = policies
    .filter(([, , , rule = '']) => rule === 'FOR SELECT TO scholiast_worker USING (true)')
    .map(([, , table = '']) => table)
  return [
    '| Row-level security compares | Tables |',
    '|---|---|',
    ...lines,
    `| nothing, for reads of the worker role alone: queues, counts and ids that it looks for in all roots | ${renderTables(open)} |`,
  ].join('\n')
}

function classify(rule: string): Group {
  if (!rule.includes('app_organizations')) return 'root'
  return /CASE\s+WHEN \(organization_id IS NULL\)/.test(rule) ? 'organization-or-root' : 'organization'
}

function renderTables(names: readonly string[]): string {
  return names
    .toSorted()
    .map((name) => `\`${name}\``)
    .join(', ')
}
