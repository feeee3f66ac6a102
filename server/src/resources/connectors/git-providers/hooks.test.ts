import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { readGithubHook, readGitlabHook, verifyGithubHook, verifyGitlabHook } from './hooks.ts'

const SECRET = 'planted-secret'

const sign = (body: Buffer | string, secret = SECRET) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
})

void describe('hooks of GitHub', () => {
  const body = Buffer.from(
    JSON.stringify({ action: 'created', repository: { id: 7 }, pull_request: { number: 12, title: 'x' } }),
  )

  void it('are accepted with the signature of the whole body', async () => {
    assert.equal(await verifyGithubHook(SECRET, sign(body), body), true)
  })

  void it('are refused with another secret, another body, no signature or an empty secret', async () => {
    const changed = Buffer.from(body.toString().replace('12', '13'))
    const short = { 'x-hub-signature-256': sign(body)['x-hub-signature-256'].slice(0, -1) }
    const old = { 'x-hub-signature': `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}` }
    for (const [headers, sent, secret] of [
      [sign(body, 'other'), body, SECRET],
      [sign(body), changed, SECRET],
      [sign(body), Buffer.concat([body, Buffer.from(' ')]), SECRET],
      [short, body, SECRET],
      [old, body, SECRET],
      [{}, body, SECRET],
      [sign(''), Buffer.alloc(0), SECRET],
      [sign(body, ''), body, ''],
    ] as const)
      assert.equal(await verifyGithubHook(secret, headers, sent), false)
  })

  void it('are refused if the signature is of the repaired text of a body that is not UTF-8', async () => {
    const broken = Buffer.concat([body, Buffer.from([0xff])])
    assert.equal(await verifyGithubHook(SECRET, sign(broken), broken), false)
  })

  const headers = {
    'x-github-delivery': '72d3162e-cc78-11e3',
    'x-github-event': 'pull_request_review_comment',
  }
  const read = (payload: unknown, kind = 'x') =>
    readGithubHook({ ...headers, 'x-github-event': kind }, Buffer.from(JSON.stringify(payload)))

  void it('give id, kind, repository and number, and nothing else', () => {
    assert.deepEqual(readGithubHook(headers, body), {
      id: '72d3162e-cc78-11e3',
      kind: 'pull_request_review_comment',
      repositoryId: '7',
      numbers: [12],
    })
  })

  void it('give the number of an issue only if it is a pull request', () => {
    assert.deepEqual(read({ issue: { number: 4, pull_request: { url: '' } } })?.numbers, [4])
    assert.deepEqual(read({ issue: { number: 4 } })?.numbers, [])
  })

  void it('give every pull request of a check once', () => {
    const check = { pull_requests: [{ number: 4 }, { number: 5 }, { number: 4 }, null, { number: 'x' }] }
    assert.deepEqual(read({ check_run: check })?.numbers, [4, 5])
  })

  void it('may arrive as a form', () => {
    const form = Buffer.from(new URLSearchParams({ payload: body.toString() }).toString())
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.deepEqual(readGithubHook({ ...headers, ...type }, form)?.numbers, [12])
  })

  void it('are not read from anything else', () => {
    assert.equal(readGithubHook({}, body), null)
    assert.equal(readGithubHook({ ...headers, 'x-github-event': 'a\nb' }, body), null)
    for (const text of ['', '{', 'null', '"text"', '[]'])
      assert.deepEqual(readGithubHook(headers, Buffer.from(text))?.numbers ?? [], [])
  })
})

void describe('hooks of GitLab', () => {
  const note = Buffer.from(
    JSON.stringify({
      object_kind: 'note',
      project: { id: 5 },
      object_attributes: { action: 'create', note: 'text', iid: 99 },
      merge_request: { iid: 3 },
    }),
  )

  void it('are accepted with the token only', () => {
    assert.equal(verifyGitlabHook(SECRET, { 'x-gitlab-token': SECRET }), true)
    for (const token of ['', 'x', `${SECRET} `, SECRET.slice(1)])
      assert.equal(verifyGitlabHook(SECRET, { 'x-gitlab-token': token }), false)
    assert.equal(verifyGitlabHook(SECRET, {}), false)
    assert.equal(verifyGitlabHook('', { 'x-gitlab-token': '' }), false)
  })

  void it('give id, kind, project and number', () => {
    assert.deepEqual(readGitlabHook({ 'idempotency-key': 'k-1' }, note), {
      id: 'k-1',
      kind: 'note',
      repositoryId: '5',
      numbers: [3],
    })
    const merge = { object_kind: 'merge_request', project: { id: 5 }, object_attributes: { iid: 8 } }
    assert.deepEqual(readGitlabHook({}, Buffer.from(JSON.stringify(merge)))?.numbers, [8])
  })

  void it('have an id of their content where GitLab sends none', () => {
    const other = Buffer.from(note.toString().replace('create', 'update'))
    const event = { 'x-gitlab-event-uuid': 'same' }
    const [first, again, changed] = [note, note, other].map((body) => readGitlabHook(event, body)?.id)
    assert.equal(first, again)
    assert.notEqual(first, changed)
  })
})
