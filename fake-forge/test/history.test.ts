import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SimulatedClock } from '../clock.ts'
import { FaultPlan } from '../faults.ts'
import { Forge } from '../forge.ts'
import { FakeGithub } from '../github/server.ts'
import { FakeGitlab } from '../gitlab/server.ts'
import { History } from '../history.ts'

function createHistory(seed: number, isGitlab = false) {
  const clock = new SimulatedClock('2026-01-05T09:00:00Z')
  const forge = new Forge({ clock, gitFolder: null })
  return { forge, history: new History({ forge, clock, seed, isGitlab }) }
}

test('a seed gives the same history again', () => {
  const run = (seed: number) => {
    const { history } = createHistory(seed)
    history.run(300)
    return history.getModel()
  }
  assert.deepEqual(run(5), run(5))
  assert.notDeepEqual(run(5), run(6))
})

test('histories have everything that a connector must follow', () => {
  const { history, forge } = createHistory(11)
  const kinds = new Set<string>()
  forge.onEvent((event) => kinds.add(`${event.kind} ${event.action}`))
  history.run(1200)
  const { pullRequests, deletedFindings } = history.getModel()
  const findings = pullRequests.flatMap((one) => one.findings)
  assert.equal(new Set(pullRequests.map(({ state }) => state)).size, 3)
  assert.ok(findings.some(({ isResolved }) => isResolved) && findings.some(({ isResolved }) => !isResolved))
  assert.ok(findings.some(({ isSuggestionApplied }) => isSuggestionApplied))
  assert.ok(findings.some(({ thumbsDown }) => thumbsDown.length > 0))
  assert.ok(deletedFindings.length > 0)
  assert.equal(new Set(findings.map(({ bot }) => bot)).size, 10)
  for (const kind of ['repository renamed', 'repository transferred', 'thread unresolved', 'member removed'])
    assert.ok(kinds.has(kind), kind)
})

test('the hooks of a history are valid, and go missing by the plan', async (t) => {
  const clock = new SimulatedClock('2026-01-05T09:00:00Z')
  const forge = new Forge({ clock, gitFolder: null })
  const faults = new FaultPlan(3, { hooks: { unsent: 0.1, failed: 0.1, doubled: 0.1, reordered: 0.1 } })
  let received = 0
  const sendHook = async () => {
    received++
    return 202
  }
  const github = await FakeGithub.start({ forge, faults, sendHook })
  const gitlab = await FakeGitlab.start({ forge, faults: new FaultPlan(), sendHook: async () => 200 })
  t.after(() => Promise.all([github.close(), gitlab.close()]))
  const history = new History({ forge, clock, seed: 8 })
  const { organization: owner } = history
  const app = github.apps.createApp({ name: 'Reader', owner, webhookUrl: 'http://receiver.example' })
  github.apps.install(app, owner)
  history.run(250)
  await github.hooks.flush()
  assert.deepEqual(github.violations, [])
  assert.deepEqual(gitlab.violations, [])
  const { unsent = 0, failed = 0, doubled = 0, reordered = 0 } = faults.counts
  assert.ok(unsent > 0 && failed > 0 && doubled > 0 && reordered > 0)
  assert.equal(received, github.hooks.deliveries.length - failed + doubled)
})
