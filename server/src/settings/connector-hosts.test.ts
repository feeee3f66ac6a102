import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConnectorHosts } from './connector-hosts.ts'

function read(hosts: string[], privateHosts: string[] = []) {
  const problems: string[] = []
  return { origins: Object.fromEntries(readConnectorHosts(hosts, privateHosts, problems)), problems }
}

void describe('the hosts of connectors', () => {
  void it('are https, with a port where the entry has one', () => {
    assert.deepEqual(read(['API.GitHub.com', 'git.example.com:8443']), {
      origins: {
        'https://api.github.com': { network: 'public' },
        'https://git.example.com:8443': { network: 'public' },
      },
      problems: [],
    })
  })

  void it('may be private where the operator says so', () => {
    assert.deepEqual(read(['git.internal', 'gitlab.com'], ['git.internal']).origins, {
      'https://git.internal': { network: 'private' },
      'https://gitlab.com': { network: 'public' },
    })
    assert.equal(read(['gitlab.com'], ['git.internal']).problems.length, 1)
  })

  void it('use plain http only on the loopback interface', () => {
    assert.deepEqual(read(['http://127.0.0.1:4000']).origins, {
      'http://127.0.0.1:4000': { network: 'loopback' },
    })
    for (const entry of [
      'http://git.example.com',
      'https://git.example.com',
      'git.example.com/path',
      'a b',
      '*',
    ])
      assert.equal(read([entry]).problems.length, 1, entry)
  })
})
