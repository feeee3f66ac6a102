// What the tests of Git provider clients share.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { SimulatedClock } from '../../../fake-forge/clock.ts'
import type { startFixture } from '../../../fake-forge/test/github-fixture.ts'
import type { ConnectorId } from '../../src/ids.ts'
import {
  type Clock,
  createUnlimitedBudget,
  type RateBudget,
} from '../../src/resources/connectors/git-providers/budget.ts'
import { toGithubAddress } from '../../src/resources/connectors/git-providers/github/address.ts'
import { createGithubClient } from '../../src/resources/connectors/git-providers/github/client.ts'
import { InstallationTokens } from '../../src/resources/connectors/git-providers/github/tokens.ts'
import type { ProviderClient } from '../../src/resources/connectors/git-providers/provider-client.ts'
import { createSender, type SendRequest } from '../../src/resources/connectors/git-providers/request.ts'
import { readConnectorHosts } from '../../src/settings/connector-hosts.ts'
import type { TestOrganization } from '../tenant.ts'

type GithubFixture = Pick<
  Awaited<ReturnType<typeof startFixture>>,
  'github' | 'clock' | 'app' | 'installation'
>

/** The clock of a client by that of a fake forge. A sleep moves it. */
export function toClientClock(time: SimulatedClock): Clock {
  return {
    now: () => new Date(time.now()),
    sleep(ms) {
      time.advance(ms)
      return Promise.resolve()
    },
  }
}

/** Sends to a fake forge. */
export function createForgeSender({ url }: { readonly url: string }, maxBytes?: number): SendRequest {
  const { origin } = new URL(url)
  return createSender({
    hosts: readConnectorHosts([origin], [], []),
    ...(maxBytes !== undefined && { maxBytes }),
  })
}

/** Creates clients of the app on a fake GitHub, which share their tokens. */
export function createGithubClients(
  { github, clock: time, app, installation }: GithubFixture,
  send: SendRequest = createForgeSender(github),
): (budget?: RateBudget) => ProviderClient {
  const clock = toClientClock(time)
  const tokens = new InstallationTokens(send, clock)
  const credential = {
    appId: String(app.id),
    privateKey: app.privateKey,
    installationId: String(installation.id),
  }
  const address = toGithubAddress(new URL(github.url).origin)
  return (budget = createUnlimitedBudget(clock)) =>
    createGithubClient({ address, credential, tokens, send, budget, clock })
}

/** A stored connector that nothing was read through yet. */
export async function plantConnector(
  superuser: pg.Pool,
  { root, id: organization }: TestOrganization,
): Promise<ConnectorId> {
  const connector = randomUUID() as string as ConnectorId
  await superuser.query(
    `insert into connector (root_id, organization_id, id, provider, host, mode, account, credential, key_id, created_at,
       inventory_due_at) values ($1, $2, $3::uuid, 'github', 'github.com', 'polling', $3::text, '\\x01', 'k', now(), now())`,
    [root, organization, connector],
  )
  return connector
}
