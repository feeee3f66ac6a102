import { randomInt, randomUUID } from 'node:crypto'
import { runAdmin } from './open.ts'

export interface TestTenant {
  /** Name of the tenant root, a workspace. */
  readonly root: string
  readonly rootId: string
  readonly organizationIds: readonly string[]
  readonly admin: string
}

/** A workspace without any data, with an admin. */
export async function createEmptyTenant(
  organizations: readonly string[] = ['Empty Yard'],
  seats = 5,
): Promise<TestTenant> {
  const root = `Workspace ${randomUUID().slice(0, 8)}`
  const subscription = `--plan enterprise --seats ${seats} --sso`.split(' ')
  const { root: rootId } = await runAdmin<{ root: string }>(
    'workspace',
    'create',
    '--name',
    root,
    ...subscription,
  )
  const organizationIds: string[] = []
  for (const name of organizations) {
    const words = ['--root', rootId, '--name', name, '--org-id', String(randomInt(1e9, 2e9))]
    organizationIds.push((await runAdmin<{ id: string }>('organization', 'create', ...words)).id)
  }
  const admin = await addPerson(rootId, organizationIds, { role: 'cr_admin', workspaceAdmin: true })
  return { root, rootId, organizationIds, admin }
}

interface PersonOptions {
  readonly role?: string
  readonly workspaceAdmin?: boolean
  readonly domain?: string
}

/** Returns the e-mail address. */
export async function addPerson(
  rootId: string,
  organizationIds: readonly string[],
  { role = 'cr_member', workspaceAdmin = false, domain = 'example.com' }: PersonOptions = {},
): Promise<string> {
  const name = `person-${randomUUID().slice(0, 8)}`
  const email = `${name}@${domain}`
  const words = [
    '--root',
    rootId,
    '--email',
    email,
    '--name',
    name,
    '--accounts',
    `github:${randomInt(1e9, 2e9)}:${name}`,
  ]
  if (organizationIds.length > 0) words.push('--organizations', organizationIds.join(','), '--role', role)
  if (workspaceAdmin) words.push('--workspace-admin')
  await runAdmin('person', 'add', ...words)
  return email
}
