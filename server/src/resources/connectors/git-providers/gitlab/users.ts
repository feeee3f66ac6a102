import type { ProviderUser } from '../../snapshot.ts'
import { nullIfNotFound } from '../provider-client.ts'
import type { GitlabConnection } from './connection.ts'

export interface UserBody {
  readonly id: number
  readonly username: string
}

const MAX_USERS = 100_000
/** The users of access tokens. Accounts of reviewers that are bots may have any name. */
const tokenUser = /^(?:group|project)_\d+_bot(?:_|$)/

/** Notes do not say whether their author is a bot, so each author is read once. All clients of a process share it. */
export class GitlabUsers {
  readonly #bots = new Map<string, boolean>()

  async toUser(
    connection: GitlabConnection,
    web: string,
    user: UserBody | null,
  ): Promise<ProviderUser | null> {
    if (user === null) return null
    const key = `${web} ${user.id}`
    let isBot = isTokenUser(user) || this.#bots.get(key)
    if (isBot === undefined) {
      isBot = await readIsBot(connection, user.id)
      if (this.#bots.size >= MAX_USERS) this.#bots.clear()
      this.#bots.set(key, isBot)
    }
    return { id: String(user.id), login: user.username, isBot }
  }
}

export function isTokenUser({ username }: UserBody): boolean {
  return tokenUser.test(username)
}

async function readIsBot(connection: GitlabConnection, id: number): Promise<boolean> {
  const found = await nullIfNotFound(connection.get<{ bot?: boolean }>(`/users/${id}`))
  return found?.body.bot === true
}
