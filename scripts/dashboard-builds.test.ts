import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { hashSources, isBuilt, publishBuild } from './dashboard-builds.ts'

const parent = mkdtempSync(join(tmpdir(), 'scholiast-builds-'))
after(() => rmSync(parent, { recursive: true }))
let count = 0

function createFolder(): string {
  const folder = join(parent, String(count++))
  mkdirSync(join(folder, 'assets'), { recursive: true })
  return folder
}

function createBuild(page: string, assets: readonly string[]): string {
  const folder = createFolder()
  writeFileSync(join(folder, 'index.html'), page)
  for (const name of assets) writeFileSync(join(folder, 'assets', name), `content of ${name}`)
  return folder
}

const listAssets = (dist: string) =>
  readdirSync(join(dist, 'assets')).filter((name) => !/\.(?:br|gz)$/.test(name))

test('the assets of the previous build stay, those of older builds go', () => {
  const dist = join(parent, 'served')
  publishBuild(createBuild('one', ['main-1.js', 'shared-1.js']), dist, 'a')
  publishBuild(createBuild('two', ['main-2.js', 'shared-1.js']), dist, 'b')
  assert.deepEqual(listAssets(dist), ['main-1.js', 'main-2.js', 'shared-1.js'])
  publishBuild(createBuild('three', ['main-3.js', 'shared-1.js']), dist, 'c')
  assert.deepEqual(listAssets(dist), ['main-2.js', 'main-3.js', 'shared-1.js'])
  assert.equal(readFileSync(join(dist, 'index.html'), 'utf8'), 'three')
})

test('a build that changes nothing does not count, and unused files are deleted', () => {
  const dist = createFolder()
  writeFileSync(join(dist, 'assets', 'stray-0.js'), '')
  publishBuild(createBuild('one', ['main-1.js']), dist, 'a')
  assert.deepEqual(listAssets(dist), ['main-1.js'])
  for (const sources of ['b', 'c', 'd']) publishBuild(createBuild('two', ['main-2.js']), dist, sources)
  assert.deepEqual(listAssets(dist), ['main-1.js', 'main-2.js'])
})

test('scripts and styles are compressed beside the file; fonts are compressed already', () => {
  const dist = createFolder()
  publishBuild(createBuild('one', ['main-1.js', 'main-1.css', 'text-1.woff2']), dist, 'a')
  assert.deepEqual(readdirSync(join(dist, 'assets')), [
    'main-1.css',
    'main-1.css.br',
    'main-1.css.gz',
    'main-1.js',
    'main-1.js.br',
    'main-1.js.gz',
    'text-1.woff2',
  ])
  const read = (ending: string) => readFileSync(join(dist, 'assets', `main-1.js${ending}`))
  assert.deepEqual(brotliDecompressSync(read('.br')), read(''))
  assert.deepEqual(gunzipSync(read('.gz')), read(''))
})

test('a build is made again when a source changes, appears or goes', () => {
  const dist = createFolder()
  const root = createFolder()
  const hash = () => hashSources(root, ['package.json', 'src/**'])
  mkdirSync(join(root, 'src/ui'), { recursive: true })
  writeFileSync(join(root, 'src/ui/a.ts'), '1')
  assert.equal(isBuilt(dist, hash()), false)
  const build = () => publishBuild(createBuild('one', ['main-1.js']), dist, hash())
  build()
  assert.equal(isBuilt(dist, hash()), true)
  writeFileSync(join(root, 'notes.md'), 'not a source')
  assert.equal(isBuilt(dist, hash()), true)
  const changes = [
    () => writeFileSync(join(root, 'src/ui/a.ts'), '2'),
    () => writeFileSync(join(root, 'package.json'), '{}'),
    () => rmSync(join(root, 'src/ui/a.ts')),
  ]
  for (const change of changes) {
    change()
    assert.equal(isBuilt(dist, hash()), false)
    build()
    assert.equal(isBuilt(dist, hash()), true)
  }
})
