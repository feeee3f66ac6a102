import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toGithubHost } from '../src/connect/github-host.ts'

test('each kind of GitHub has its own address of the API', () => {
  const addresses = ['github.com', 'acme.ghe.com', 'git.example.com', '127.0.0.1:8080'].map(
    (host) => toGithubHost(host).apiUrl,
  )
  assert.deepEqual(addresses, [
    'https://api.github.com',
    'https://api.acme.ghe.com',
    'https://git.example.com/api/v3',
    'http://127.0.0.1:8080/api/v3',
  ])
})
