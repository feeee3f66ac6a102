import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createApp } from '../src/connect/app-manifest.ts'

/** What the form of the command sends to GitHub, and what its page says. */
async function readForm(writeBack: boolean) {
  const server = createServer((_request, response) => {
    response.writeHead(201, { 'content-type': 'application/json', connection: 'close' })
    response.end(
      JSON.stringify({ id: 1, slug: 'app', html_url: 'http://localhost', pem: '', webhook_secret: null }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const webUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let page = ''
  const open = async (url: string) => {
    page = await (await fetch(url)).text()
    const state = /[?&]state=([0-9a-f]+)/.exec(page)?.[1] ?? ''
    await fetch(`${url}created?code=of-the-test&state=${state}`)
  }
  await createApp({
    host: { host: 'git.example.com', webUrl, apiUrl: webUrl },
    account: 'acme',
    hookUrl: null,
    writeBack,
    onReady: (url) => void open(url),
  })
  server.close()
  const manifest = /name="manifest" value="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? ''
  const { default_permissions } = JSON.parse(manifest) as { default_permissions: Record<string, string> }
  return { page, default_permissions }
}

test('without --write-back the App asks for read permissions only', async () => {
  const { page, default_permissions } = await readForm(false)
  assert.deepEqual([...new Set(Object.values(default_permissions))], ['read'])
  assert.match(page, /It cannot write anything\./)
})

test('with --write-back the App asks to write checks and pull requests, and nothing else', async () => {
  const { page, default_permissions } = await readForm(true)
  const writable = Object.keys(default_permissions).filter((name) => default_permissions[name] === 'write')
  assert.deepEqual(writable.toSorted(), ['checks', 'pull_requests'])
  assert.match(page, /in private repositories only/)
})
