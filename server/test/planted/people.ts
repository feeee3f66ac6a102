import type { ChangeContext } from '../../src/access/change-context.ts'
import { createKey } from '../../src/resources/keys/manage.ts'
import { addPerson } from '../../src/resources/people/manage.ts'
import { createRole } from '../../src/resources/roles/manage.ts'
import type { TestOrganization } from '../tenant.ts'

/** Suffix of accounts that tests may change. They are members; the other accounts have a custom role. */
export const CHANGED_ACCOUNT_SUFFIX = '.changed'

/**
 * Adds two members to an organization. Their accounts, names, e-mails, user names and keys and the custom role contain
 * the word, and so do the audit rows.
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
