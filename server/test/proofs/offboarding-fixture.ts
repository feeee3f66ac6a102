import { randomBytes, randomUUID } from 'node:crypto'
import { createKeyValue, hashKey, type KeyKind } from '../../src/access/key-format.ts'
import { allPermissions } from '../../src/access/permissions.ts'
import { createDatabase } from '../database.ts'

export type OwnedKind = Exclude<KeyKind, 'instance'>

export interface FixtureOrganization {
  readonly id: string
  readonly orgId: string
  /** The key of an admin who stays. */
  readonly adminKey: string
}

export interface FixtureRoot {
  readonly id: string
  readonly kind: 'workspace' | 'organization'
  readonly organizations: readonly FixtureOrganization[]
  /** The token of an admin who stays; null outside of workspaces. */
  readonly token: string | null
}

/** A person as they are stored; the proof decides at random what somebody has. */
export interface NewPerson {
  readonly workspaceAdmin: boolean
  readonly memberships: readonly { readonly organization: string; readonly role: string }[]
  readonly keys: readonly {
    readonly kind: OwnedKind
    readonly organization: string | null
    /** Days since the last use; null = never used. */
    readonly usedDaysAgo: number | null
    readonly state: 'living' | 'expired' | 'revoked'
  }[]
  /** How many live, and how many have ended. */
  readonly sessions: readonly ('living' | 'ended')[]
  readonly seat: boolean
  readonly seatRequest: boolean
  /** Organizations in which the person has proposed Learnings that wait. */
  readonly pendingLearnings: readonly string[]
}

export interface StoredPerson {
  readonly id: string
  readonly account: string
  readonly email: string
  readonly keys: readonly {
    readonly id: string
    readonly value: string
    readonly kind: OwnedKind
    readonly organization: string | null
    readonly living: boolean
    readonly inUse: boolean
  }[]
}

/** Everything of a person that an offboarding may end. */
export interface PersonState {
  readonly active: boolean
  readonly workspace_admin: boolean
  readonly keys: readonly string[]
  readonly sessions: readonly string[]
  readonly seats: number
  readonly requests: number
  /** Organizations. */
  readonly memberships: readonly string[]
  readonly repositories: number
  readonly pending: number
}

export interface OffboardingFixture {
  readonly database: Awaited<ReturnType<typeof createDatabase>>
  readonly roots: readonly FixtureRoot[]
  addPerson(root: FixtureRoot, person: NewPerson): Promise<StoredPerson>
  readState(person: StoredPerson): Promise<PersonState>
  close(): Promise<void>
}

/** A workspace of several organizations and a root of a single one, each with admins who stay. */
export async function createOffboardingFixture(organizations: number): Promise<OffboardingFixture> {
  const database = await createDatabase()
  const superuser = database.superuser()

  async function insertKey(
    root: string,
    owner: string,
    { id = randomUUID(), value, kind, organization }: NewKey,
    { usedDaysAgo = null, state = 'living' }: Partial<NewPerson['keys'][number]> = {},
  ): Promise<void> {
    await superuser.query(
      `insert into api_key (root_id, id, kind, name, organization_id, owner_id, permissions, hash, prefix, last_four,
         expires_at, revoked_at, last_used_at)
       values ($1, $2, $3::text, $3::text || ' key', $4, $5, $6, $7, 'sch', '0000',
         case when $8::text = 'expired' then now() - interval '1 day' else now() + interval '30 days' end,
         case when $8::text = 'revoked' then now() end, now() - $9::int * interval '1 day')`,
      [root, id, kind, organization, owner, allPermissions, hashKey(value), state, usedDaysAgo],
    )
  }

  async function createRoot(kind: FixtureRoot['kind'], count: number): Promise<FixtureRoot> {
    const [id, admin] = [randomUUID(), randomUUID()]
    await superuser.query(
      `insert into root (id, kind, name, sso) values ($1, $2::text, 'offboarding', $2::text = 'workspace')`,
      [id, kind],
    )
    await superuser.query(`insert into subscription values ($1, 'enterprise', true, 100000)`, [id])
    await superuser.query(
      `insert into person (root_id, id, email, name, workspace_admin) values ($1, $2, 'admin@example.com', 'Admin', $3)`,
      [id, admin, kind === 'workspace'],
    )
    const made: FixtureOrganization[] = []
    for (let index = 0; index < count; index++) {
      const [organization, orgId, adminKey] = [randomUUID(), `${index + 1}`, createKeyValue('user')]
      await superuser.query(
        `insert into organization (root_id, id, provider, host, provider_organization_id, name)
         values ($1, $2, 'github', 'github.com', $3::text, 'Organization ' || $3::text)`,
        [id, organization, orgId],
      )
      await superuser.query(
        `insert into repository (root_id, organization_id, id, provider, provider_repository_id, name)
         values ($1, $2, gen_random_uuid(), 'github', $3, 'repository')`,
        [id, organization, orgId],
      )
      await superuser.query(
        `insert into membership (root_id, organization_id, account_id, person_id, system_role)
         values ($1, $2, $3::text, $3::text::uuid, 'cr_admin')`,
        [id, organization, admin],
      )
      await insertKey(id, admin, { value: adminKey, kind: 'user', organization })
      made.push({ id: organization, orgId, adminKey })
    }
    const token = kind === 'workspace' ? createKeyValue('workspace') : null
    if (token !== null) await insertKey(id, admin, { value: token, kind: 'workspace', organization: null })
    return { id, kind, organizations: made, token }
  }

  return {
    database,
    roots: [await createRoot('workspace', organizations), await createRoot('organization', 1)],
    async addPerson(root, person) {
      const [id, account] = [randomUUID(), randomUUID()]
      const email = `${account}@example.com`
      await superuser.query(
        `insert into person (root_id, id, email, name, workspace_admin) values ($1, $2, $3, 'Leaver', $4)`,
        [root.id, id, email, person.workspaceAdmin],
      )
      await superuser.query(
        `insert into account (root_id, provider, host, account_id, username, person_id)
         values ($1, 'github', 'github.com', $2::text, $2::text, $3)`,
        [root.id, account, id],
      )
      for (const { organization, role } of person.memberships) {
        await superuser.query(
          `insert into membership (root_id, organization_id, account_id, person_id, system_role) values ($1, $2, $3, $4, $5)`,
          [root.id, organization, account, id, role],
        )
        await superuser.query(
          `insert into repository_access (root_id, organization_id, repository_id, person_id, verified_at)
           select root_id, organization_id, id, $3, now() from repository where root_id = $1 and organization_id = $2`,
          [root.id, organization, id],
        )
      }
      const keys = []
      for (const key of person.keys) {
        const made = {
          id: randomUUID(),
          value: createKeyValue(key.kind),
          kind: key.kind,
          organization: key.organization,
        }
        await insertKey(root.id, id, made, key)
        const { usedDaysAgo, state } = key
        keys.push({ ...made, living: state === 'living', inUse: usedDaysAgo !== null && usedDaysAgo < 7 })
      }
      for (const state of person.sessions)
        await superuser.query(
          `insert into session (root_id, id, hash, person_id, method, user_agent, created_at, authenticated_at,
             last_used_at, expires_at, ended_at)
           values ($1, $2, $3, $4, 'link', 'proof', now(), now(), now(), now() + interval '1 day',
             case when $5::text = 'ended' then now() end)`,
          [root.id, randomUUID(), randomBytes(32), id, state],
        )
      if (person.seat)
        await superuser.query(`insert into seat (root_id, person_id) values ($1, $2)`, [root.id, id])
      if (person.seatRequest)
        await superuser.query(
          `insert into seat_request (root_id, person_id, organization_id, requested_at) values ($1, $2, $3, now())`,
          [root.id, id, root.organizations[0]?.id],
        )
      for (const organization of person.pendingLearnings)
        await superuser.query(
          `insert into learning (root_id, organization_id, id, repository_id, state, text, content_hash, redactor_version,
             source, author_id, created_at, updated_at)
           values ($1, $2, gen_random_uuid(), '1', 'pending', 'Close what you open.', $3, 1, 'agent', $4, now(), now())`,
          [root.id, organization, randomBytes(32), account],
        )
      return { id, account, email, keys }
    },
    async readState({ id, account }) {
      const { rows } = await superuser.query<PersonState>(
        `select p.active, p.workspace_admin,
           array(select k.id::text from api_key k where k.owner_id = p.id and k.revoked_at is null
             and k.expires_at > now() order by 1) as keys,
           array(select s.id::text from session s where s.person_id = p.id and s.ended_at is null order by 1) as sessions,
           (select count(*)::int from seat s where s.person_id = p.id) as seats,
           (select count(*)::int from seat_request r where r.person_id = p.id and r.requested_at is not null) as requests,
           array(select m.organization_id::text from membership m where m.person_id = p.id order by 1) as memberships,
           (select count(*)::int from repository_access a where a.person_id = p.id) as repositories,
           (select count(*)::int from learning l where l.author_id = $2 and l.state = 'pending') as pending
         from person p where p.id = $1`,
        [id, account],
      )
      const [state] = rows
      if (state === undefined) throw new Error('The person is missing.')
      return state
    },
    async close() {
      await superuser.end()
      await database.drop()
    },
  }
}

interface NewKey {
  readonly id?: string
  readonly value: string
  readonly kind: OwnedKind
  readonly organization: string | null
}
