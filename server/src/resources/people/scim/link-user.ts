import type { ChangeContext } from '../../../access/change-context.ts'
import { refuseOperation } from '../../../errors.ts'
import { findPerson } from '../manage.ts'
import type { Person } from '../sql.ts'
import { findPersonByEmail, findTakenAttribute, lockScim, readUser } from './sql.ts'
import { saveUser } from './users.ts'

/** An account at the identity provider. */
export interface LinkedAccount {
  readonly userName: string
  readonly externalId: string
  /** The address of the person from now on; by default the one that the person has. */
  readonly email?: string | undefined
}

/**
 * Links a person to an account at the identity provider, or to another one. The operator vouches for the account, so this
 * works for workspace admins too. The provider finds the user by the name and manages it from then on.
 */
export async function linkUser(
  change: ChangeContext,
  idOrEmail: string,
  { userName, externalId, email: newEmail }: LinkedAccount,
): Promise<Person> {
  const { scope, tx } = change
  await lockScim(scope, tx)
  const person = await findPerson(scope, tx, idOrEmail)
  const { id, name } = person
  if (!person.active)
    refuseOperation(`${name} is deactivated. Reactivate the person first: person reactivate.`)
  const taken = await findTakenAttribute(scope, tx, { userName, externalId }, id)
  if (taken !== null) refuseOperation(`Another SCIM user of the tenant root has this ${taken}.`)
  const email = newEmail?.toLowerCase() ?? person.email
  const holder = email === null ? null : await findPersonByEmail(scope, tx, email)
  if (holder !== null && holder.id !== id)
    refuseOperation(`The tenant root has another person with the e-mail ${email}.`)
  const stored = await readUser(scope, tx, id)
  const emails = email === null ? {} : { emails: [{ value: email, type: 'work', primary: true }] }
  const attributes =
    stored === null || email !== person.email
      ? { displayName: name, ...stored?.attributes, ...emails }
      : stored.attributes
  const next = { externalId, userName, attributes, active: true, name, email }
  const context = { ...change, reportLostAdmins: () => {} }
  await saveUser(context, { id, linked: person, stored }, next, { byOperator: true })
  return person
}
