import { setTimeout as sleepRealTime } from 'node:timers/promises'
import type { KeyRing } from '../../../config.ts'
import type { Pool } from '../../../db/connect.ts'
import type { ConnectorHosts } from '../../../settings/connector-hosts.ts'
import { createRateBudget, githubPolicies, gitlabPolicies } from '../forge/budget.ts'
import type { ForgeClient, WorkClass } from '../forge/forge-client.ts'
import { toGithubAddress } from '../forge/github/address.ts'
import { createGithubClient } from '../forge/github/client.ts'
import type { GithubOptions } from '../forge/github/connection.ts'
import { InstallationTokens } from '../forge/github/tokens.ts'
import { createGithubWriteClient } from '../forge/github/write-client.ts'
import { createGitlabClient, toGitlabAddress } from '../forge/gitlab/client.ts'
import { GitlabUsers } from '../forge/gitlab/users.ts'
import { createSender } from '../forge/request.ts'
import type { CreateWriteClient } from '../write-back/context.ts'
import type { SyncContext, SyncedConnector } from './context.ts'
import { openCredential } from './secrets.ts'

interface GithubSecret {
  readonly app_id: string
  readonly installation_id: string
  readonly private_key: string
}

export interface ClientOptions {
  readonly database: Pool
  readonly keys: KeyRing
  readonly hosts: ConnectorHosts
  readonly now: () => Date
  /** For a clock that is simulated. */
  readonly sleep?: (ms: number) => Promise<void>
}

export interface Clients {
  readonly createClient: SyncContext['createClient']
  readonly createWriteClient: CreateWriteClient
}

/** Clients of one process share their connections and installation tokens. */
export function createClients({
  database,
  keys,
  hosts,
  now,
  sleep = (ms) => sleepRealTime(ms),
}: ClientOptions): Clients {
  const clock = { now, sleep }
  const send = createSender({ hosts })
  const tokens = new InstallationTokens(send, clock)
  const users = new GitlabUsers()

  function createBudget({ root, organization, id, provider }: SyncedConnector, workClass: WorkClass) {
    const policies = provider === 'github' ? githubPolicies : gitlabPolicies
    return createRateBudget({ pool: database, root, organization, connector: id, workClass, policies, clock })
  }

  function toGithubOptions(connector: SyncedConnector, workClass: WorkClass): GithubOptions {
    const secret = openCredential(keys, connector) as GithubSecret
    return {
      address: toGithubAddress(toAddress(hosts, connector.host)),
      credential: {
        appId: secret.app_id,
        installationId: secret.installation_id,
        privateKey: secret.private_key,
      },
      tokens,
      send,
      budget: createBudget(connector, workClass),
      clock,
    }
  }

  function createGitlab(connector: SyncedConnector, workClass: WorkClass): ForgeClient {
    const { token } = openCredential(keys, connector) as { readonly token: string }
    return createGitlabClient({
      web: toGitlabAddress(toAddress(hosts, connector.host)),
      token,
      group: connector.account,
      send,
      budget: createBudget(connector, workClass),
      clock,
      users,
    })
  }

  return {
    createClient: (connector, workClass) =>
      connector.provider === 'github'
        ? createGithubClient(toGithubOptions(connector, workClass))
        : createGitlab(connector, workClass),
    createWriteClient: (connector) => createGithubWriteClient(toGithubOptions(connector, 'live')),
  }
}

/** Of a forge on this machine, with its scheme. */
function toAddress(hosts: ConnectorHosts, host: string): string {
  return hosts.has(`http://${host}`) ? `http://${host}` : host
}
