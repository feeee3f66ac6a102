import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { cliFile, demo } from './run-cli.ts'

test('the command starts the proxy, says what to send, and ends on SIGTERM', async () => {
  const child = spawn(process.execPath, [cliFile, 'sandbox', '--target', demo.base_url, '--port', '0'])
  try {
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += String(chunk)
      if (printed.includes('curl -i')) break
    }
    const [, url] = /listens on (http:\/\/127\.0\.0\.1:\d+) /.exec(printed) ?? []
    const [, header, value] = /curl -i \S+ -H '([\w-]+): ([^']+)'/.exec(printed) ?? []
    assert.ok(url !== undefined && header !== undefined && value !== undefined, printed)
    for (const name of ['RATE_LIMIT_EXCEEDED', 'METRICS_PREPARING', 'slow', 'cut'])
      assert.match(printed, new RegExp(`^${name} `, 'm'))
    const forced = await fetch(`${url}/v1/organizations`, { headers: { [header]: value } })
    assert.deepEqual([forced.status, forced.headers.get('retry-after')], [429, '2'])
    assert.equal((await fetch(`${url}/v1/organizations`)).status, 401)
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  }
})
