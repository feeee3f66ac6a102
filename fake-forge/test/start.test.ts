import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

interface Printed {
  readonly github: { readonly url: string; readonly pull_requests: number; readonly private_key: string }
  readonly gitlab: { readonly url: string; readonly api_url: string; readonly read_token: string }
}

test('start.ts prints addresses and credentials that work', async (t) => {
  const script = fileURLToPath(new URL('../start.ts', import.meta.url))
  const fake = spawn(process.execPath, [script, '--steps', '60'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(fake, 'close')
  t.after(async () => {
    fake.kill('SIGTERM')
    await closed
  })
  let text = ''
  for await (const chunk of fake.stdout) {
    text += String(chunk)
    if (text.endsWith('}\n')) break
  }
  const { github, gitlab } = JSON.parse(text) as Printed
  assert.ok(github.pull_requests > 0)
  assert.match(github.private_key, /PRIVATE KEY/)
  assert.equal((await fetch(`${github.url}/repos/acme/service-1`)).status, 401)
  const headers = { 'private-token': gitlab.read_token }
  assert.equal((await fetch(`${gitlab.api_url}/groups/acme/projects`, { headers })).status, 200)
  assert.equal((await fetch(`${gitlab.url}/fake/step`, { method: 'POST' })).status, 204)
})
