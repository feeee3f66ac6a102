import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { renderResults } from './results.ts'

test('a run is recorded as a line for each table, and rendered in the section of its command', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-results-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [file, entry] = [join(folder, 'results.jsonl'), join(folder, 'bench', 'run.ts')]
  const reporter = fileURLToPath(new URL('../proofs/tools/report.ts', import.meta.url))
  mkdirSync(join(folder, 'bench'))
  writeFileSync(
    entry,
    `import { report } from '${reporter}'
    report('first', [{ measure: 'a | b', goal: '0', result: 0, met: true }])
    report('second', [{ measure: 'c', goal: '≥ 2', result: '1.5', met: false }])`,
  )
  const { status } = spawnSync(process.execPath, [entry, 'page', '--quick', '--data', '/a/file'], {
    env: { ...process.env, RESULTS_FILE: file },
  })
  assert.equal(status, 1)
  const lines = readFileSync(file, 'utf8')
  assert.match(
    lines,
    /^\{"command":"npm run bench -- page --quick --data …","form":"quick","date":"\d{4}-\d\d-\d\d",/,
  )

  const page = renderResults(lines, [
    { name: 'npm run bench -- page', shows: 'Pages.' },
    { name: 'npm run bench -- ingest', shows: 'Events.' },
  ])
  assert.match(
    page,
    /^## bench page\n\nPages\.\n\n\*\*first\*\* · `npm run bench -- page --quick --data …` · /,
  )
  assert.match(page, /^\| a \\\| b \| 0 \| 0 \|$/m)
  assert.match(page, /^\| c \| ≥ 2 \| \*\*missed:\*\* 1\.5 \|$/m)
  assert.match(page, /\n\n## bench ingest\n\nEvents\.\n\nNo run is recorded\.$/)
})

test('the page of claims names every proof and benchmark', () => {
  const [claims = '', results = ''] = ['proofs', 'results'].map((page) =>
    readFileSync(new URL(`../docs/${page}.md`, import.meta.url), 'utf8'),
  )
  const commands = [...results.matchAll(/^## (prove|bench) (.+)$/gm)]
  assert.ok(commands.length > 40)
  for (const [, script, name] of commands) assert.ok(claims.includes(`\`npm run ${script} -- ${name}`), name)
})
