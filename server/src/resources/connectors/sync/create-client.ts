import { setTimeout as sleepRealTime } from 'node:timers/promises'
import type { KeyRing } from '../../../config.ts'
import type { Pool } from '../../../db/connect.ts'
import type { ConnectorHosts } from '../../../settings/connector-hosts.ts'
import { type Clock, createRateBudget, githubPolicies, gitlabPolicies } from '../git-providers/budget.ts'
import { toGithubAddress } from '../git-providers/github/address.ts'
import { createGithubClient } from '../git-providers/github/client.ts'
import type { GithubOptions } from '../git-providers/github/connection.ts'
import { InstallationTokens } from '../git-providers/github/tokens.ts'
import { createGithubWriteClient } from '../git-providers/github/write-client.ts'
import { createGitlabClient, toGitlabAddress } from '../git-providers/gitlab/client.ts'
import { GitlabUsers } from '../git-providers/gitlab/users.ts'
import type { ProviderClient, WorkClass } from '../git-providers/provider-client.ts'
import { createSender, type SendRequest } from '../git-providers/request.ts'
import { openSecret, type SecretOwner } from '../secrets.ts'
import type { CreateWriteClient } from '../write-back/context.ts'
import type { SyncContext, SyncedConnector } from './context.ts'
import { UnreadableSecretError } from './errors.ts'

/** The credential that the connector was created with. Never log it. */
function openCredential(ring: KeyRing, connector: SyncedConnector): unknown {
  const owner: SecretOwner = { root: connector.root, connector: connector.id, name: 'credential' }
  const text = openSecret(ring, owner, { keyId: connector.keyId, bytes: connector.credential })
  if (text === null) throw new UnreadableSecretError()
  return JSON.parse(text)
}

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
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
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
  sleep = (ms, signal) => sleepRealTime(ms, undefined, signal && { signal }),
}: ClientOptions): Clients {
  const send = createSender({ hosts })
  const tokens = new InstallationTokens(send, { now, sleep })
  const users = new GitlabUsers()

  /** All that a client waits for ends with the signal. */
  function createTransport(connector: SyncedConnector, workClass: WorkClass, signal?: AbortSignal) {
    const { root, organization, id, provider } = connector
    const policies = provider === 'github' ? githubPolicies : gitlabPolicies
    const clock: Clock = { now, sleep: (ms) => sleep(ms, signal) }
    const options = { pool: database, root, organization, connector: id, workClass, policies, clock }
    const sendUntilAborted: SendRequest = (request) => send(request, signal)
    return { send: sendUntilAborted, clock, budget: createRateBudget(options) }
  }

  function toGithubOptions(
    connector: SyncedConnector,
    workClass: WorkClass,
    signal?: AbortSignal,
  ): GithubOptions {
    const secret = openCredential(keys, connector) as GithubSecret
    return {
      address: toGithubAddress(toAddress(hosts, connector.host)),
      credential: {
        appId: secret.app_id,
        installationId: secret.installation_id,
        privateKey: secret.private_key,
      },
      tokens,
      ...createTransport(connector, workClass, signal),
    }
  }

  function createGitlab(
    connector: SyncedConnector,
    workClass: WorkClass,
    signal?: AbortSignal,
  ): ProviderClient {
    const { token } = openCredential(keys, connector) as { readonly token: string }
    return createGitlabClient({
      web: toGitlabAddress(toAddress(hosts, connector.host)),
      token,
      group: connector.account,
      ...createTransport(connector, workClass, signal),
      users,
    })
  }

  return {
    createClient: (connector, workClass, signal) =>
      connector.provider === 'github'
        ? createGithubClient(toGithubOptions(connector, workClass, signal))
        : createGitlab(connector, workClass, signal),
    createWriteClient: (connector, signal) =>
      createGithubWriteClient(toGithubOptions(connector, 'live', signal)),
  }
}

/** A Git provider on this machine keeps its scheme. */
function toAddress(hosts: ConnectorHosts, host: string): string {
  return hosts.has(`http://${host}`) ? `http://${host}` : host
}
