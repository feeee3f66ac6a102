import type { ChangeContext } from '../../src/access/change-context.ts'
import { createKey } from '../../src/resources/keys/create.ts'
import { addPerson } from '../../src/resources/people/add.ts'
import { createRole } from '../../src/resources/roles/create.ts'
import type { TestOrganization } from '../tenant.ts'

/** Accounts that end so are members, whose roles and seats anybody may change; the others keep a custom role. */
export const CHANGED_ACCOUNT_SUFFIX = '.changed'

/**
 * Two members of an organization: their accounts, names, addresses, user names and keys are called by its word, and so is
 * its custom role. The audit log tells of all that.
 */
export async function plantPeople(
  change: ChangeContext,
  { id: organization, root, instance }: TestOrganization,
  word: string,
): Promise<void> {
  const host = instance === null ? 'github.com' : `git-${root.slice(0, 8)}.example.com`
  const custom = await createRole(change, organization, { name: word, permissions: [] })
  for (const [name, role] of [
    [word, { custom }],
    [word + CHANGED_ACCOUNT_SUFFIX, { system: 'cr_member' }],
  ] as const) {
    const owner = await addPerson(change, {
      email: `${name}@example.com`,
      name: `Person ${name}`,
      accounts: [{ provider: 'github', host, accountId: name, username: name }],
      memberships: [{ organization, role }],
    })
    await createKey(change, { kind: 'user', organization, owner, name: `Key of ${name}`, expiresAt: null })
  }
}
