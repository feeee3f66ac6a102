import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareShapes, createShapeRecorder, type RecordedShapes } from './forge-shapes.ts'

const SECRET = 'planted-value'

async function recordBody(body: unknown, path = '/repositories/42'): Promise<RecordedShapes> {
  const url = `https://git.example.com${path}`
  const send: Parameters<typeof createShapeRecorder>[0] = () =>
    Promise.resolve({ status: 200, url, headers: {}, body: Buffer.from(JSON.stringify(body)) })
  const recorder = createShapeRecorder(send)
  await recorder.send({ method: 'GET', url, headers: { authorization: SECRET } })
  return recorder.shapes
}

const render = (shapes: RecordedShapes) =>
  JSON.stringify(
    [...shapes].map(([call, shape]) => [call, [...shape].map(([path, types]) => [path, [...types]])]),
  )

void describe('shapes of responses', () => {
  void it('have names and types, and no value, name or id', async () => {
    const body = {
      id: 42,
      login: SECRET,
      [`${SECRET}!`]: 1,
      items: [{ at: '2026-01-01T00:00:00Z' }, { at: null }],
    }
    const text = render(await recordBody(body, `/api/v4/groups/${SECRET}/projects?token=${SECRET}`))
    assert.ok(!text.includes(SECRET), text)
    assert.ok(!text.includes('42'), text)
    assert.match(text, /GET \/groups\/\{\}\/projects 200/)
    assert.match(text, /\[".items\[\].at",\["time","null"\]\]/)
  })

  void it('are the same on github.com and on an Enterprise Server', async () => {
    assert.deepEqual(
      compareShapes(await recordBody({}, '/api/v3/repositories/1'), await recordBody({}, '/repositories/2')),
      [],
    )
  })

  const fake = { id: 1, name: 'x', at: null, owner: { login: 'x' }, items: [{ a: 1 }] }
  const differences = async (live: unknown) => compareShapes(await recordBody(fake), await recordBody(live))

  void it('differ where a field is missing or has another type', async () => {
    assert.deepEqual(await differences({ ...fake, more: 1 }), [])
    assert.deepEqual(await differences({ ...fake, id: '1' }), [
      'GET /repositories/{} 200 .id: is digits on the live Git provider, number on the fake',
    ])
    assert.deepEqual(await differences({ ...fake, items: [{}] }), [
      'GET /repositories/{} 200 .items[].a: is missing on the live Git provider',
    ])
  })

  void it('do not differ where one side has nothing to show', async () => {
    assert.deepEqual(await differences({ ...fake, at: '2026-01-01T00:00:00Z', owner: null, items: [] }), [])
  })

  void it('do not differ where the start of a commit’s id happens to be a number', async () => {
    const shapeOf = (short_id: string) => recordBody([{ short_id }], '/projects/1/merge_requests/2/commits')
    assert.deepEqual(compareShapes(await shapeOf('1a2b3c4d'), await shapeOf('12345678')), [])
    assert.deepEqual(compareShapes(await shapeOf('12345678'), await shapeOf('1a2b3c4d')), [])
  })

  void it('differ where a call was answered otherwise', async () => {
    const other = compareShapes(await recordBody(fake), await recordBody(fake, '/repositories/1/commits'))
    assert.equal(other.length, 2)
  })
})
