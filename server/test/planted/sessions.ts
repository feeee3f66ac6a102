import type pg from 'pg'
import { hashKey } from '../../src/access/key-format.ts'
import { createSessionValue } from '../../src/access/session.ts'
import { newId, type PersonId, type RootId, type SessionId } from '../../src/ids.ts'

/** PostgreSQL intervals before now. */
interface SessionTimes {
  readonly age?: string
  readonly idle?: string
  readonly authenticated?: string
  readonly ended?: string
}

export interface PlantedSession {
  readonly id: SessionId
  /** The value of the cookie `__Host-scholiast`. */
  readonly cookie: string
}

/** A session of a person, as a sign-in would have made it. */
export async function plantSession(
  superuser: pg.Pool | pg.Client,
  root: RootId,
  person: PersonId,
  { age = '1 minute', idle = '0 seconds', authenticated = '1 minute', ended }: SessionTimes = {},
): Promise<PlantedSession> {
  const id = newId<SessionId>()
  const cookie = createSessionValue()
  await superuser.query(
    `insert into session (root_id, id, hash, person_id, method, user_agent, created_at, authenticated_at, last_used_at,
       expires_at, ended_at)
     values ($1, $2, $3, $4, 'link', 'test', now() - $5::interval, now() - $6::interval, now() - $7::interval,
       now() - $5::interval + interval '24 hours', now() - $8::interval)`,
    [root, id, hashKey(cookie), person, age, authenticated, idle, ended ?? null],
  )
  return { id, cookie }
}
