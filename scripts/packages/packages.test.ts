import assert from 'node:assert/strict'
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createEmptyProject, repository } from './empty-project.ts'

const MAX_SDK_BYTES = 12_000
const tools = `${repository}node_modules/.bin`
const project = createEmptyProject(['sdk', 'sandbox', 'cli'])
after(() => project.remove())

const { base_url: url, keys } = JSON.parse(readFileSync(process.env['SCHOLIAST_DEMO'] ?? '', 'utf8')) as {
  base_url: string
  keys: { workspace: string; user: string; ingest: string }
}
const environment = {
  PATH: `${project.folder}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
  HOME: project.folder,
  XDG_CONFIG_HOME: `${project.folder}/.config`,
  SCHOLIAST_URL: url,
  SCHOLIAST_API_KEY: keys.user,
  SCHOLIAST_INGEST_KEY: keys.ingest,
}

function readBlocks(page: string, language: string): string[] {
  const text = readFileSync(repository + page, 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '')
}

test('the SDK is small', () => {
  const files = globSync(`${repository}sdk/dist/*.js`)
  const bytes = gzipSync(Buffer.concat(files.map((file) => readFileSync(file))), { level: 9 }).length
  console.log(`@scholiast/sdk: ${bytes} bytes gzip`)
  assert.ok(bytes <= MAX_SDK_BYTES, `${bytes} bytes are more than ${MAX_SDK_BYTES}`)
})

for (const name of ['sdk', 'sandbox', 'cli']) {
  const tarball = project.tarballs.find((file) => file.includes(`scholiast-${name}-`)) ?? ''

  test(`publint accepts @scholiast/${name}`, () => {
    const { status, text } = project.run(`${tools}/publint`, ['run', '--strict', tarball])
    assert.equal(status, 0, text)
  })

  test(`@scholiast/${name} contains what it needs and no sources`, () => {
    const files = globSync('**', { cwd: `${project.folder}/node_modules/@scholiast/${name}` })
    for (const file of ['package.json', 'README.md', 'LICENSE'])
      assert.ok(files.includes(file), `${file} is missing`)
    const sources = files.filter((file) => /^(?:src|test)\b|(?<!\.d)\.ts$/.test(file))
    assert.deepEqual(sources, [])
  })
}

for (const name of ['sdk', 'sandbox']) {
  test(`the types of @scholiast/${name} resolve`, () => {
    const tarball = project.tarballs.find((file) => file.includes(`scholiast-${name}-`)) ?? ''
    const options = ['--profile', 'esm-only', '--format', 'ascii', '--no-definitely-typed']
    const { status, text } = project.run(`${tools}/attw`, [tarball, ...options])
    assert.equal(status, 0, text)
  })
}

test('the examples of sdk/README.md compile and run', () => {
  const examples = readBlocks('sdk/README.md', 'ts')
  assert.ok(examples.length >= 6, 'sdk/README.md has too few examples')
  const files = examples.map((text, index) => {
    writeFileSync(`${project.folder}/example-${index + 1}.ts`, text)
    return `example-${index + 1}.ts`
  })
  for (const name of ['@types/node', 'undici-types']) {
    cpSync(`${repository}node_modules/${name}`, `${project.folder}/node_modules/${name}`, { recursive: true })
  }
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024',
    '--types',
    'node',
  ]
  const compiled = project.run(`${tools}/tsc`, [...options, ...files])
  assert.equal(compiled.status, 0, compiled.text)
  for (const [index, file] of files.entries()) {
    const { status, text } = project.run(process.execPath, [file], environment)
    assert.equal(status, 0, `${file}\n${examples[index]}\n${text}`)
  }
})

test('the commands of cli/README.md run', () => {
  const commands = readBlocks('cli/README.md', 'sh')
  assert.ok(commands.length > 0, 'cli/README.md has no command')
  const { status, text } = project.run('bash', ['-euxo', 'pipefail', '-c', commands.join('\n')], environment)
  assert.equal(status, 0, text)
})
