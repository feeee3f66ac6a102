import type { PersonalIdentifiers } from './erase-sql.ts'

const personalFields = new Set(['username', 'name', 'email'])
const ERASED = 'erased'

/** Returns the dead letter without the names of the person, or null if it does not mention the person. */
export function removePersonFromDeadLetter(
  text: string,
  { email, accounts }: PersonalIdentifiers,
): string | null {
  let found = false

  // Only records with a username describe people: repositories and organizations also have ids and names.
  function mentionsPerson(record: Readonly<Record<string, unknown>>): boolean {
    const { id, provider, host, email: address } = record
    if (typeof address === 'string' && address.toLowerCase() === email) return true
    const isAccountOfPerson = (account: PersonalIdentifiers['accounts'][number]) =>
      account.account_id === id &&
      (provider === undefined || provider === account.provider) &&
      (host === undefined || host === account.host)
    return 'username' in record && accounts.some(isAccountOfPerson)
  }

  function clean(value: unknown): unknown {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(clean)
    const record = value as Readonly<Record<string, unknown>>
    const isPerson = mentionsPerson(record)
    const fields = Object.entries(record).map(([name, inner]) => {
      if (!isPerson || !personalFields.has(name) || typeof inner !== 'string' || inner === ERASED)
        return [name, clean(inner)]
      found = true
      return [name, ERASED]
    })
    return Object.fromEntries(fields)
  }

  const cleaned = clean(parse(text))
  return found ? JSON.stringify(cleaned) : null
}

/** A dead letter that is not JSON contains no fields to erase. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
