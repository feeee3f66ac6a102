import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultPlan, FaultRates } from '../../fake-forge/faults.ts'
import { Forge } from '../../fake-forge/forge.ts'
import { FakeGithub } from '../../fake-forge/github/server.ts'
import { FakeGitlab } from '../../fake-forge/gitlab/server.ts'
import { History } from '../../fake-forge/history.ts'
import type { TestDatabase } from '../../server/test/database.ts'
import {
  createOrganizationRoots,
  type OrganizationRoot,
} from '../../server/test/proofs/connect-organization.ts'
import { postJson, sendJson } from '../tools/client.ts'
import type { MovedClock } from './moved-clock.ts'

type Provider = 'github' | 'gitlab'
type Mode = 'hooks' | 'polling'

/** An organization whose repositories have a history each, with the connector that reads it. */
export interface ConnectedOrganization extends OrganizationRoot {
  readonly provider: Provider
  readonly mode: Mode
  /** At its beginning. */
  readonly repositories: number
  readonly forge: Forge
  readonly history: History
  readonly connector: string
}

export interface Forges {
  readonly github: FakeGithub
  readonly gitlab: FakeGitlab
  /** Throws if a response or a hook was not as the forge describes it. */
  close(): Promise<void>
}

export interface Ports {
  readonly github: number
  readonly gitlab: number
}

const network = { badGateway: 0.01, serverTimeout: 0.01, disconnect: 0.01, truncated: 0.01 }
/** 30 % of the hooks. */
const hooks = { unsent: 0.1, failed: 0.05, doubled: 0.05, reordered: 0.05, late: 0.05 }
const githubFaults: FaultRates = {
  requests: {
    ...network,
    primaryLimit: 0.001,
    secondaryLimit: 0.01,
    graphqlLimit: 0.001,
    graphqlSecondaryLimit: 0.005,
    partialResult: 0.02,
    expiredTokens: 0.02,
  },
  hooks,
}
// A token of GitLab that expires does not come back: its connector is deleted and connected again.
const gitlabFaults: FaultRates = { requests: { ...network, primaryLimit: 0.01 }, hooks }

export async function startForges(clock: MovedClock, ports: Ports): Promise<Forges> {
  const folder = await mkdtemp(join(tmpdir(), 'scholiast-forges-'))
  const createForge = (name: Provider) => new Forge({ clock, gitFolder: join(folder, name) })
  const [github, gitlab] = await Promise.all([
    FakeGithub.start({ forge: createForge('github'), port: ports.github, isEnterprise: true }),
    FakeGitlab.start({ forge: createForge('gitlab'), port: ports.gitlab }),
  ])
  return {
    github,
    gitlab,
    async close() {
      await Promise.all([github.close(), gitlab.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** By their rates, and some at once, so that also a short run has each of them. */
export function beginFaults({ github, gitlab }: Forges): void {
  github.faults.setRates(githubFaults)
  github.faults.queue('expiredTokens', 'secondaryLimit', 'disconnect', 'partialResult')
  github.faults.queueHooks('unsent', 'failed', 'doubled', 'reordered', 'late')
  gitlab.faults.setRates(gitlabFaults)
  gitlab.faults.queue('truncated', 'primaryLimit')
}

export function endFaults({ github, gitlab }: Forges): void {
  github.faults.setRates({})
  gitlab.faults.setRates({})
}

export function countFaults({ github, gitlab }: Forges): FaultPlan['counts'] {
  const counts = { ...github.faults.counts }
  for (const [kind, count] of Object.entries(gitlab.faults.counts) as [keyof typeof counts, number][])
    counts[kind] = (counts[kind] ?? 0) + count
  return counts
}

export interface OrganizationPlan {
  readonly name: string
  readonly provider: Provider
  readonly mode: Mode
  readonly seed: number
  readonly repositories: number
  /** Steps of the history before the connection. */
  readonly pastSteps: number
}

/** Makes organizations with a past and connects them as an admin does. */
export async function connectOrganizations(
  service: { readonly database: TestDatabase; readonly url: string },
  clock: MovedClock,
  forges: Forges,
  plans: readonly OrganizationPlan[],
): Promise<ConnectedOrganization[]> {
  const created = plans.map(({ name, provider, seed, repositories, pastSteps, mode }) => {
    const { forge } = forges[provider]
    const isGitlab = provider === 'gitlab'
    const history = new History({ forge, clock, seed, organization: name, repositories, isGitlab })
    history.run(pastSteps)
    return { provider, mode, repositories, forge, history }
  })
  const roots = await createOrganizationRoots(
    service.database,
    created.map(({ provider, history: { organization } }) => ({
      provider,
      host: new URL(forges[provider].url).host,
      id: organization.id,
      name: organization.login,
    })),
  )
  return await Promise.all(
    created.map(async (one, index) => {
      const root = roots[index]
      if (root === undefined) throw new Error('An organization has no tenant root.')
      return { ...one, ...root, connector: await connect(service.url, forges, one, root) }
    }),
  )
}

async function connect(
  url: string,
  forges: Forges,
  { provider, mode, history }: Pick<ConnectedOrganization, 'provider' | 'mode' | 'history'>,
  { key }: OrganizationRoot,
): Promise<string> {
  const { organization } = history
  const secret = randomBytes(20).toString('hex')
  const app =
    provider === 'github'
      ? forges.github.apps.createApp({
          name: organization.login,
          owner: organization,
          webhookSecret: secret,
        })
      : null
  const credential =
    app === null
      ? { token: forges.gitlab.createToken(organization) }
      : {
          app_id: String(app.id),
          installation_id: String(forges.github.apps.install(app, organization).id),
          private_key: app.privateKey,
        }
  const body = {
    provider,
    host: new URL(forges[provider].url).host,
    mode,
    account: organization.login,
    credential,
    ...(mode === 'hooks' && { webhook_secret: secret }),
  }
  const { status, text } = await postJson(`${url}/v1/connectors`, key, JSON.stringify(body))
  if (status !== 201) throw new Error(`POST /v1/connectors returned ${status}: ${text}`)
  const { id } = JSON.parse(text) as { readonly id: string }
  if (mode === 'polling') return id
  const hook = `${url}/hooks/${id}`
  if (app !== null) app.webhookUrl = hook
  else
    forges.gitlab.hooks.add(organization, {
      url: hook,
      token: secret,
      note_events: true,
      merge_requests_events: true,
      emoji_events: true,
    })
  return id
}

export async function disconnect(
  url: string,
  organizations: readonly ConnectedOrganization[],
): Promise<void> {
  for (const { connector, key } of organizations) {
    const { status, text } = await sendJson('DELETE', `${url}/v1/connectors/${connector}`, key)
    if (status !== 204) throw new Error(`DELETE /v1/connectors returned ${status}: ${text}`)
  }
}
