// A fake GitHub and a fake GitLab for people and for scripts of the documentation.
//   node fake-forge/start.ts [--port N] [--gitlab-port N] [--seed N] [--steps N] [--webhook-url URL] [--enterprise]
// Prints one JSON object with addresses and credentials. Everything is in memory and in a temporary folder, and is gone at its end.
// POST /fake/step on either port lets the next thing happen.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SimulatedClock } from './clock.ts'
import { Forge } from './forge.ts'
import { FakeGithub } from './github/server.ts'
import { FakeGitlab } from './gitlab/server.ts'
import { History } from './history.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'gitlab-port': { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '150' },
    'webhook-url': { type: 'string' },
    enterprise: { type: 'boolean', default: false },
  },
})

/** Simulated while the past is made, then with the time of the system. */
class StartClock extends SimulatedClock {
  isLive = false

  override now(): number {
    return this.isLive ? Date.now() : super.now()
  }
}

const DAYS_OF_PAST = 30

function createForge(folder: string) {
  const clock = new StartClock(new Date(Date.now() - DAYS_OF_PAST * 86_400_000).toISOString())
  return { clock, forge: new Forge({ clock, gitFolder: folder }) }
}

const gitFolder = mkdtempSync(join(tmpdir(), 'fake-forge-'))
const seed = Number(values.seed)
const onGithub = createForge(join(gitFolder, 'github'))
const onGitlab = createForge(join(gitFolder, 'gitlab'))

const github = await FakeGithub.start({
  forge: onGithub.forge,
  port: Number(values.port),
  isEnterprise: values.enterprise,
})
const gitlab = await FakeGitlab.start({ forge: onGitlab.forge, port: Number(values['gitlab-port']) })
const githubHistory = new History({ ...onGithub, seed })
const gitlabHistory = new History({ ...onGitlab, seed, isGitlab: true })
githubHistory.run(Number(values.steps))
gitlabHistory.run(Number(values.steps))
onGithub.clock.isLive = true
onGitlab.clock.isLive = true
github.onStep = () => githubHistory.step()
gitlab.onStep = () => gitlabHistory.step()

const app = github.apps.createApp({
  name: 'Scholiast',
  owner: githubHistory.organization,
  webhookUrl: values['webhook-url'] ?? null,
})
const installation = github.apps.install(app, githubHistory.organization)

console.log(
  JSON.stringify(
    {
      github: {
        url: github.url,
        api_url: github.apiUrl,
        graphql_url: github.graphqlUrl,
        organization: githubHistory.organization.login,
        app_id: app.id,
        installation_id: installation.id,
        private_key: app.privateKey,
        webhook_secret: app.webhookSecret,
        pull_requests: githubHistory.getModel().pullRequests.length,
      },
      gitlab: {
        url: gitlab.url,
        api_url: gitlab.apiUrl,
        group: gitlabHistory.organization.login,
        read_token: gitlab.createToken(gitlabHistory.organization),
        owner_token: gitlab.createToken(gitlabHistory.organization, ['api', 'read_repository']),
        merge_requests: gitlabHistory.getModel().pullRequests.length,
      },
    },
    null,
    2,
  ),
)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    rmSync(gitFolder, { recursive: true, force: true })
    void Promise.allSettled([github.close(), gitlab.close()]).then(() => process.exit(0))
  })
