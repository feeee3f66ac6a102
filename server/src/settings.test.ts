// settings.ts documents the environment; here it is compared with what the processes really read.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { commands } from './commands.ts'
import {
  defaultLimits,
  getLimitSettingName,
  type LimitPolicy,
  readApiConfig,
  readWorkerConfig,
} from './config.ts'
import { type Setting, settings } from './settings/settings.ts'

type Env = Record<string, string | undefined>

const policies = Object.keys(defaultLimits) as LimitPolicy[]
const required: Env = {
  AUTH_DATABASE_URL: 'postgres://auth@127.0.0.1/x',
  API_DATABASE_URL: 'postgres://api@127.0.0.1/x',
  WORKER_DATABASE_URL: 'postgres://worker@127.0.0.1/x',
  SIGNING_KEYS: `k1:${'00'.repeat(32)}`,
  // With these, a process reads the rest of the settings that it otherwise skips.
  INGEST_KEYS: `k1:${'11'.repeat(32)}`,
  CONNECTOR_KEYS: `k1:${'22'.repeat(32)}`,
  EMBEDDER_URL: 'http://127.0.0.1/v1',
  EMBEDDER_MODEL: 'm',
  EMBEDDER_DIMENSIONS: '8',
}

function documentedFor(process: Setting['processes'][number]): Setting[] {
  return settings.filter(({ processes }) => processes.includes(process))
}

function recordReads(readConfig: (env: Env) => unknown): Set<string> {
  const names = new Set<string>()
  const get = (values: Env, name: string) => {
    names.add(name)
    return values[name]
  }
  readConfig(new Proxy(required, { get }))
  return names
}

void describe('the table of settings', () => {
  for (const [process, readConfig] of [
    ['api', readApiConfig],
    ['worker', readWorkerConfig],
  ] as const) {
    void it(`lists exactly what ${process}.ts reads`, () => {
      const limits = process === 'api' ? policies.map(getLimitSettingName) : []
      const documented = documentedFor(process)
        .map(({ name }) => name)
        .filter((name) => name !== 'LIMIT_<NAME>')
      assert.deepEqual([...documented, ...limits].sort(), [...recordReads(readConfig)].sort())
    })

    void it(`has the defaults of ${process}.ts`, () => {
      const defaults = documentedFor(process).flatMap(({ name, default: value }) =>
        value === undefined ? [] : [[name, value] as const],
      )
      assert.deepEqual(readConfig({ ...required, ...Object.fromEntries(defaults) }), readConfig(required))
    })
  }

  void it('lists what the commands name', () => {
    const named = commands
      .flatMap(({ environment = ['WORKER_DATABASE_URL'] }) => environment)
      .flatMap((text) => text.match(/^[A-Z_]+(?=$| )/) ?? [])
    const documented = new Set(documentedFor('admin').map(({ name }) => name))
    assert.deepEqual(
      [...new Set(named)].filter((name) => !documented.has(name)),
      [],
    )
  })

  void it('describes each setting in a sentence', () => {
    for (const { name, description } of settings) assert.match(description, /^[^|\n]+\.$/, name)
  })
})
