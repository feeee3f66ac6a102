// Names that are stored or sent must not change: rows, streams, cursors and clients of earlier versions use them.
// stable-names.json lists them. Add new names there by hand; never change or remove one.
import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { actions, resourceTypes } from './access/audit/catalogue.ts'
import { rootScope } from './access/scope.ts'
import { publishedEvents } from './bus/emit.ts'
import { streams } from './bus/streams.ts'
import { defaultLimits, getLimitSettingName } from './config.ts'
import { consumers, eventKinds, timers } from './consumers.ts'
import { errorCodes } from './errors.ts'
import { bindCursors } from './http/cursor.ts'
import type { OrganizationId, RootId } from './ids.ts'
import { makeMetrics } from './observe/metrics.ts'
import { endpoints, tools } from './routes.ts'
import { settings } from './settings/settings.ts'
import { learningId } from './text/identity.ts'

const server = new URL('../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, server), 'utf8')
const stable = JSON.parse(read('stable-names.json')) as Record<string, unknown>
const sources = globSync('src/**/*.ts', { cwd: server, exclude: (name) => name.endsWith('.test.ts') })
  .map(read)
  .join('\n')

/** Returns the distinct first groups of all matches in the sources, sorted. */
function findInSources(pattern: RegExp): string[] {
  return sorted([...sources.matchAll(pattern)].map(([, found = '']) => found.replaceAll(/\s+/g, ' ')))
}

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort()
}

function readTables(): Record<string, string[]> {
  const tables = [...read('schema.sql').matchAll(/^CREATE TABLE public\.(\w+) \(\n([^;]*?)\n\)/gm)]
  const columns = (body: string) =>
    [...body.matchAll(/^ {4}(?!CONSTRAINT)"?(\w+)"? /gm)].map(([, column = '']) => column).sort()
  return Object.fromEntries(
    tables
      .map(([, name = '', body = '']) => [name, columns(body)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const ring = [{ id: 'k1', secret: createSecretKey('00'.repeat(32), 'hex') }]
const root = '00000000-0000-7000-8000-000000000001' as RootId

const current: Record<string, unknown> = {
  settings: sorted([
    ...settings.map(({ name }) => name).filter((name) => name !== 'LIMIT_<NAME>'),
    ...Object.keys(defaultLimits).map(getLimitSettingName),
  ]),
  streams: Object.fromEntries(streams.map(({ name, subjects }) => [name, subjects])),
  subjects: sorted(
    findInSources(/\bsubject\(\s*[`']([^`']*)[`']/g).map((path) => path.replaceAll(/\$\{[^}]*\}/g, '*')),
  ),
  messageHeaders: findInSources(/'((?:Dead|Ingest|Event|Scholiast)-[A-Z][\w-]*)'/g),
  durableConsumers: consumers.map(({ name, stream, subject }) => `${name} ${stream} ${subject}`),
  timers: sorted(timers.map(({ name }) => name)),
  tables: readTables(),
  sessionSettings: sorted(
    [...read('schema.sql').matchAll(/current_setting\('([\w.]+)'/g)].map(([, name = '']) => name),
  ),
  databaseRoles: sorted(
    [...read('schema.sql').matchAll(/\b(scholiast_\w+)\b/g)].map(([, name = '']) => name),
  ),
  auditActions: sorted(Object.keys(actions)),
  auditResourceTypes: sorted(Object.keys(resourceTypes)),
  eventKinds: sorted(eventKinds.map(({ type, version }) => `${type} ${version}`)),
  publishedEvents: sorted(publishedEvents.map(({ type }) => type)),
  errorCodes: sorted(errorCodes),
  operations: endpoints.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`),
  tools: tools.map(({ name }) => name),
  metrics: makeMetrics()
    .registry.getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('scholiast_')),
  advisoryLocks: findInSources(/\b(pg_(?:try_)?advisory_(?:xact_)?lock\((?:[^()]|\([^()]*\))*\))/g),
  advisoryLockNumbers: findInSources(/\bMIGRATION_LOCK = ([\d_]+)/g),
  cursor: bindCursors(ring, 'listThings', rootScope(root), { a: 1, b: ['y', 'x'] }).write(['2026-01-01', 7]),
  learningId: learningId({ organization: root as string as OrganizationId, repository: 'r' }, 'text'),
}

void describe('names that are stored or sent', () => {
  for (const subject of Object.keys(current)) {
    void it(`are unchanged: ${subject}`, () => {
      assert.deepEqual(current[subject], stable[subject])
    })
  }
  void it('are all compared', () => {
    assert.deepEqual(Object.keys(stable), Object.keys(current))
  })
})
