import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { cleanName, describeControl, displayName, escapeControls, isDisplayNamePattern } from './names.ts'
import { RegistrationBody } from './resources/people/passkeys/schema.ts'
import { endpoints, sessionEndpoints } from './routes.ts'
import { compileShape } from './shape.ts'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const controls = [
  ...range(0, 0x1f),
  ...range(0x7f, 0x9f),
  0x61c,
  0x200e,
  0x200f,
  ...range(0x2028, 0x202e),
  ...range(0x2066, 0x2069),
].map((code) => String.fromCharCode(code))

/** Fields whose values people read as the name of something. */
const nameField = /(^|_)(name|title|label)$/

interface Shape extends TSchema {
  readonly type?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** The fields of a schema that hold a text, with their paths. */
function* listTexts(
  shape: Shape,
  path: readonly string[],
): Generator<[path: readonly string[], shape: Shape]> {
  if (shape.type === 'string') yield [path, shape]
  for (const [field, inner] of Object.entries(shape.properties ?? {}))
    yield* listTexts(inner, [...path, field])
  for (const inner of [...(shape.anyOf ?? []), ...(shape.items ? [shape.items] : [])])
    yield* listTexts(inner, path)
}

test('every name in a request body has the shape of names [P11-names-1]', () => {
  const bodies: [name: string, body: TSchema][] = [...endpoints, ...sessionEndpoints].flatMap(
    ({ operationId, body }) => (body === null ? [] : [[operationId, body]]),
  )
  const names = [...bodies, ['passkeys', RegistrationBody] as const]
    .flatMap(([name, body]) => [...listTexts(body as Shape, [name])])
    .filter(([path]) => nameField.test(path.at(-1) ?? ''))
  assert.ok(names.length >= 4)
  for (const [path, { pattern }] of names) assert.ok(isDisplayNamePattern(pattern), path.join('.'))
})

test('a name has no control character and no blanks at its ends; every script and emoji are allowed [P11-names-1]', () => {
  const fits = compileShape(displayName(12))
  for (const control of controls) {
    assert.ok(!fits(`Eve${control}l`), JSON.stringify(control))
    assert.ok(!fits(control))
  }
  for (const name of ['', ' Ada', 'Ada ', 'x'.repeat(13)]) assert.ok(!fits(name), name)
  for (const name of ['A', 'Ada L', 'שלום', 'می\u200cخواهم', '山田　太郎', '👩‍💻', 'x'.repeat(12)])
    assert.ok(fits(name), name)
})

test('the first control character is named with its position in characters', () => {
  assert.equal(
    describeControl('👩e \u202e\u001b'),
    'control or bidirectional characters; remove U+202E at position 4',
  )
  assert.equal(describeControl('Ada'), null)
})

test('reported names are cleaned, and output shows what a terminal would act on', () => {
  for (const control of controls) {
    assert.equal(cleanName(` Eve${control}${control}`), 'Eve')
    const isLayout = control === '\t' || control === '\n'
    assert.equal(escapeControls(`a${control}`) === `a${control}`, isLayout)
    const json = JSON.stringify({ name: control }, null, 2)
    assert.deepEqual(JSON.parse(escapeControls(json)), { name: control })
  }
  assert.equal(cleanName('two\r\nlines\u2028more'), 'two lines more')
  assert.equal(escapeControls('\u001b[31m\u202e'), '\\u001b[31m\\u202e')
})
