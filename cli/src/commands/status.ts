import type { Get } from '@scholiast/sdk'
import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'

export type KeySelf = Get<'/v1/keys/self'>

export function addStatusCommand(status: Command, context: CliContext): void {
  status
    .option('--endpoints', 'list every endpoint, and the code of the refusal where one is not allowed')
    .action((options: { endpoints?: boolean }) => showStatus(context, options.endpoints === true))
  addExamples(status, [
    { command: 'scholiast status', explains: 'Owner, organizations and permissions of the key' },
    { command: 'scholiast status --endpoints', explains: 'Which requests the key may send' },
    {
      command: 'scholiast status --json --profile staging',
      explains: 'The same for a script, with another profile',
    },
  ])
}

export function describeKey({ kind, name, prefix, last_four: lastFour, owner }: KeySelf): string {
  return `${kind} key "${name}" (${prefix}…${lastFour})${owner === null ? '' : ` of ${owner.name}`}`
}

async function showStatus(context: CliContext, withEndpoints: boolean): Promise<void> {
  const { out } = context
  const self = await context.client().get('/v1/keys/self')
  if (out.isJson) {
    out.json(self)
    return
  }
  const { tenant_root: root, organizations, endpoints } = self
  out.fields([
    ['Service', context.connection().url],
    ['Profile', context.profileName],
    ['Key', describeKey(self)],
    ['Expires', self.expires_at ?? 'never'],
    [
      'Tenant',
      `${root.name} (${root.kind}, ${root.plan}${root.subscription_active ? '' : ', subscription ended'})`,
    ],
    ['Organizations', describeOrganizations(organizations)],
    ['Admin', self.admin],
    ['Permissions', describePermissions(self.permissions)],
    ['Endpoints', `${endpoints.filter(({ allowed }) => allowed).length} of ${endpoints.length} allowed`],
  ])
  if (!withEndpoints) return
  out.line('')
  out.table(endpoints, [
    { heading: 'METHOD', value: ({ method }) => method },
    { heading: 'PATH', value: ({ path }) => path },
    { heading: 'ALLOWED', value: ({ allowed }) => allowed },
    { heading: 'CODE', value: ({ code }) => code },
  ])
}

function describeOrganizations({ count, first }: KeySelf['organizations']): string {
  const shown = first.slice(0, 5).map(({ name, provider_organization_id: id }) => `${name} (${id})`)
  return `${shown.join(', ')}${count > shown.length ? ` and ${count - shown.length} more` : ''}`
}

/** "learning (read, write), metrics (read)": thirty names are more than anybody reads. */
function describePermissions(permissions: readonly string[]): string {
  const accesses = new Map<string, string[]>()
  for (const permission of permissions) {
    const [resource = '', access = ''] = permission.split(':')
    accesses.set(resource, [...(accesses.get(resource) ?? []), access])
  }
  return [...accesses].map(([resource, list]) => `${resource} (${list.join(', ')})`).join(', ') || 'none'
}
