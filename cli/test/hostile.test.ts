import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { loadCommandTree } from '../src/program.ts'
import { createEnvironment, demo, folder, runJson } from './run-cli.ts'

const driver = fileURLToPath(new URL('./hostile-service.ts', import.meta.url))
/** Ours: bold headings, and progress that begins again at the start of its line. */
const ownCodes = ['\u001b[1m', '\u001b[22m', '\r\u001b[2K']
const forbidden = /(?!\n|\r\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]|^forged/mu

const keys = runJson<{ id: string }[]>(['keys', 'list'])
const learnings = runJson<{ id: string }[]>(['learnings', 'list'])
const [organization] = demo.organizations
const repository = organization?.repositories[0]?.repository_id ?? ''
const nobody = '00000000-0000-4000-8000-000000000000'
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content, { mode: 0o600 })
  return join(folder, name)
}

/** Arguments of every command; null for one that serves until it is stopped and shows nothing of a service. */
const rows: Readonly<Record<string, readonly string[] | null>> = {
  login: ['--key-file', file('key', `${demo.keys['user']}\n`)],
  status: ['--endpoints'],
  'metrics export': ['reviews', '--from', '2026-01-01'],
  'metrics sync': ['--to', join(folder, 'copy')],
  'metrics summary': [],
  'metrics findings': [],
  'metrics reviewers': [],
  'findings outcome': [nobody, '--accepted'],
  'organizations list': [],
  'repositories list': [],
  'users list': [],
  'users set-role': ['cr_member', nobody, '--dry-run'],
  'users offboard': ['mei.tanaka@example.com', '--dry-run'],
  'users end-sessions': ['mei.tanaka@example.com', '--dry-run'],
  'settings get': [],
  'settings set': ['--scope', 'nowhere'],
  'seats assign': [nobody, '--dry-run'],
  'seats release': [nobody, '--dry-run'],
  'seats reclaim': ['--dry-run'],
  'seats mode': [],
  'roles list': [],
  'roles show': ['cr_admin'],
  'roles create': ['cr_reserved'],
  'roles edit': [nobody, '--name', 'x'],
  'roles rm': ['cr_member', '--dry-run'],
  'roles assign': ['cr_member', nobody],
  'roles permissions': [],
  'keys list': [],
  'keys create': ['cr', '--kind', 'nothing'],
  'keys rotate': [nobody],
  'keys revoke': [keys[0]?.id ?? '', '--dry-run'],
  'audit tail': [],
  'audit export': [],
  'audit verify': [],
  'security list': [],
  'security export': ['--as', 'csv'],
  'security upload': [file('x.sarif', '{}'), '--repo', repository, '--org', organization?.org_id ?? ''],
  'events send': [file('x.jsonl', '{}\n')],
  'events status': [],
  'ingest status': [],
  'connect github': ['acme', '--app-id', '1'],
  'connect gitlab': ['acme', '--token-file', file('token', 'x\n')],
  'connectors list': [],
  'connectors remove': [nobody, '--dry-run'],
  'learnings list': [],
  'learnings search': ['tests'],
  'learnings add': ['Use tabs.', '--repo', repository, '--dry-run'],
  'learnings edit': [nobody, 'x'],
  'learnings rm': [learnings[0]?.id ?? '', '--dry-run'],
  'learnings pending': [],
  'learnings approve': [nobody, '--dry-run'],
  'learnings disapprove': [nobody, '--dry-run'],
  'learnings import': [file('AGENTS.md', '- Use tabs in every file.\n'), '--repo', repository],
  'learnings export': ['--as', 'csv', '--out', '-'],
  'review-context': ['--text', 'tests', '--repo', repository],
  sandbox: null,
  conformance: [],
  completion: ['bash'],
}

function* listCommands(command: Command, path: readonly string[] = []): Generator<string> {
  if (command.commands.length === 0) yield path.join(' ')
  for (const inner of command.commands) yield* listCommands(inner, [...path, inner.name()])
}

test('no command prints a control character of a service on a terminal', async () => {
  assert.deepEqual(Object.keys(rows), [...listCommands(await loadCommandTree())], 'every command has a row')
  const lines = Object.entries(rows).flatMap(([name, words]) =>
    words === null ? [] : [[...name.split(' '), ...words]],
  )
  // Once is enough for all rules of the contract.
  const asJson = lines.filter(([name]) => name !== 'conformance').map((words) => [...words, '--json'])
  const runs = [...lines, ...asJson]
  const { stdout, stderr } = spawnSync(process.execPath, [driver], {
    encoding: 'utf8',
    env: createEnvironment({ env: { SCHOLIAST_INGEST_KEY: demo.keys['ingest'] ?? '' } }),
    cwd: folder,
    input: JSON.stringify(runs),
    maxBuffer: 256 * 1024 * 1024,
  })
  const results = JSON.parse(stdout || '[]') as { words: string[]; code: number; printed: string }[]
  assert.equal(results.length, runs.length, stderr)
  for (const { words, printed } of results) {
    const rest = ownCodes.reduce((text, code) => text.replaceAll(code, ''), printed)
    assert.doesNotMatch(rest, forbidden, words.join(' '))
  }
  const shown = results.filter(({ printed }) => printed.includes('\\u202eRED'))
  assert.ok(shown.length > lines.length / 2, 'about half of them print a text of the service')
})
