import type { PersonalIdentifiers } from './erase-sql.ts'

const personalFields = new Set(['username', 'name', 'email'])
const ERASED = 'erased'

/** The text of a dead letter without the names of a person: null = it does not tell of the person. */
export function removePersonFromDeadLetter(
  text: string,
  { email, accounts }: PersonalIdentifiers,
): string | null {
  let found = false

  // Repositories and organizations have ids and names too, but no user names.
  function mentionsPerson(record: Readonly<Record<string, unknown>>): boolean {
    const { id, provider, host, email: address } = record
    if (typeof address === 'string' && address.toLowerCase() === email) return true
    const isTheirs = (account: PersonalIdentifiers['accounts'][number]) =>
      account.account_id === id &&
      (provider === undefined || provider === account.provider) &&
      (host === undefined || host === account.host)
    return 'username' in record && accounts.some(isTheirs)
  }

  function clean(value: unknown): unknown {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(clean)
    const record = value as Readonly<Record<string, unknown>>
    const theirs = mentionsPerson(record)
    const fields = Object.entries(record).map(([name, inner]) => {
      if (!theirs || !personalFields.has(name) || typeof inner !== 'string' || inner === ERASED)
        return [name, clean(inner)]
      found = true
      return [name, ERASED]
    })
    return Object.fromEntries(fields)
  }

  const cleaned = clean(parse(text))
  return found ? JSON.stringify(cleaned) : null
}

/** A letter that is no JSON was never understood by anybody. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
