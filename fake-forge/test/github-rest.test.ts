import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ContractError, checkGithubResponse } from '../contract.ts'
import { startFixture } from './github-fixture.ts'

const repository = '/repos/acme/booking-api'

test('every list and object is valid by GitHub’s description', async (t) => {
  const { get, pullRequest, thread } = await startFixture(t)
  const first = thread.comments[0]?.id
  const paths = [
    '/installation/repositories',
    repository,
    '/orgs/acme',
    '/orgs/acme/members',
    '/orgs/acme/teams',
    '/orgs/acme/teams/backend/members',
    `${repository}/collaborators`,
    `${repository}/collaborators/bob/permission`,
    `${repository}/teams`,
    `${repository}/code-scanning/alerts`,
    `${repository}/code-scanning/alerts/1`,
    `${repository}/pulls?state=all&sort=updated`,
    `${repository}/pulls/1`,
    `${repository}/pulls/1/commits`,
    `${repository}/pulls/1/reviews`,
    `${repository}/pulls/1/comments`,
    `${repository}/pulls/1/files`,
    `${repository}/pulls/comments?since=2026-11-01T00:00:00Z`,
    `${repository}/pulls/comments/${first}/reactions`,
    `${repository}/issues/comments`,
    `${repository}/issues/1/comments`,
    `${repository}/issues/comments/${pullRequest.comments[0]?.id}/reactions`,
    `${repository}/commits/${pullRequest.headSha}/check-runs`,
  ]
  for (const path of paths) {
    const { status, body, headers } = await get(path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    assert.equal(headers.get('date'), 'Mon, 02 Nov 2026 09:02:00 GMT')
  }
  const { body } = await get(`${repository}/pulls/1/comments`)
  const [comment, reply] = body as [Record<string, unknown>, Record<string, unknown>]
  assert.equal(comment.line, 2)
  assert.equal(reply.in_reply_to_id, comment.id)
  assert.equal((comment.reactions as Record<string, number>)['-1'], 1)
})

test('check runs and comments can be written with the permission', async (t) => {
  const { github, token, pullRequest, app, get } = await startFixture(t)
  const send = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}` }
    const url = `${github.apiUrl}${repository}${path}`
    return await fetch(url, { method, headers, body: JSON.stringify(body) })
  }
  const { headSha: head_sha } = pullRequest
  const created = await send('POST', '/check-runs', { name: 'Learnings', head_sha })
  assert.equal(created.status, 201)
  const { id } = (await created.json()) as { id: number }
  const output = { title: 'Two apply', summary: 'Text' }
  assert.equal((await send('PATCH', `/check-runs/${id}`, { conclusion: 'neutral', output })).status, 200)
  const { body } = await get(`${repository}/commits/${head_sha}/check-runs`)
  const [run] = (body as { check_runs: { status: string; app: { slug: string } }[] }).check_runs
  assert.equal(run?.status, 'completed')
  assert.equal(run?.app.slug, app.slug)
  assert.equal((await send('POST', '/issues/1/comments', { body: 'Because' })).status, 201)
  assert.equal(pullRequest.comments.at(-1)?.author.login, 'scholiast[bot]')
  app.permissions = { ...app.permissions, checks: 'read' }
  assert.equal((await send('POST', '/check-runs', { name: 'Learnings', head_sha })).status, 403)
})

test('a response outside the description is refused', () => {
  const valid = { permission: 'admin', role_name: 'admin', user: null }
  const path = '/repos/{owner}/{repo}/collaborators/{username}/permission'
  checkGithubResponse('GET', path, 200, valid)
  assert.throws(() => checkGithubResponse('GET', path, 200, { ...valid, role_name: 7 }), ContractError)
  assert.throws(() => checkGithubResponse('GET', path, 200, { ...valid, invented: true }), ContractError)
  assert.throws(() => checkGithubResponse('GET', '/invented', 200, {}), ContractError)
})

test('pages have Link headers by the id of the repository, and ETags differ between tokens', async (t) => {
  const {
    get,
    repository: { id },
    github,
    installation,
  } = await startFixture(t)
  const { headers, body } = await get(`${repository}/pulls/1/comments?per_page=1`)
  assert.equal((body as unknown[]).length, 1)
  const link = headers.get('link') ?? ''
  assert.match(link, new RegExp(`/repositories/${id}/pulls/1/comments\\?per_page=1&page=2>; rel="next"`))
  const next = await get(/<([^>]+)>; rel="next"/.exec(link)?.[1] ?? '')
  assert.equal((next.body as unknown[]).length, 1)
  const etag = headers.get('etag') ?? ''
  assert.equal(
    (await get(`${repository}/pulls/1/comments?per_page=1`, { 'if-none-match': etag })).status,
    304,
  )
  const { token } = github.apps.issueToken(installation)
  const other = { 'if-none-match': etag, authorization: `Bearer ${token}` }
  assert.equal((await get(`${repository}/pulls/1/comments?per_page=1`, other)).status, 200)
})

test('renamed repositories redirect, deleted ones and foreign ones are not found', async (t) => {
  const { get, forge, repository: renamed, alice } = await startFixture(t)
  forge.renameRepository(renamed, 'booking', alice)
  const moved = await get(`${repository}/pulls/1`)
  assert.equal(moved.status, 301)
  const location = moved.headers.get('location') ?? ''
  assert.match(location, new RegExp(`/repositories/${renamed.id}/pulls/1$`))
  assert.equal((await get(location)).status, 200)
  forge.transferRepository(renamed, forge.addOrganization('other'), alice)
  assert.equal((await get('/repos/acme/booking/pulls/1')).status, 404)
  forge.deleteRepository(renamed, alice)
  assert.equal((await get('/repos/other/booking')).status, 404)
})

test('tokens expire after an hour, and a missing permission is refused', async (t) => {
  const { get, clock, app } = await startFixture(t)
  app.permissions = { metadata: 'read' }
  assert.equal((await get(`${repository}/pulls`)).status, 403)
  assert.equal((await get(repository)).status, 200)
  clock.advance(3_600_000)
  assert.equal((await get(repository)).status, 401)
  assert.equal((await get(repository, { authorization: 'Bearer ghs_wrong' })).status, 401)
})

test('a partial clone over HTTP works with a token only', async (t) => {
  const { github, token, pullRequest } = await startFixture(t)
  const folder = mkdtempSync(join(tmpdir(), 'fake-forge-clone-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const url = `${github.url}/acme/booking-api.git`
  const header = `http.extraHeader=Authorization: Basic ${btoa(`x-access-token:${token}`)}`
  const clone = ['clone', '--quiet', '--bare', '--filter=blob:none', url]
  await assert.rejects(runGit([...clone, join(folder, 'no')]))
  await runGit(['-c', header, ...clone, join(folder, 'yes')])
  const inClone = ['-C', join(folder, 'yes'), '-c', header]
  await runGit([...inClone, 'fetch', '--quiet', 'origin', `+refs/pull/1/head:refs/pull/1/head`])
  const missing = await runGit([...inClone, 'rev-list', '--objects', '--missing=print', '--all'])
  assert.match(missing, /^\?/m, 'blobs were not fetched')
  assert.match(await runGit([...inClone, 'show', `${pullRequest.headSha}:src/price.ts`]), /two and a half/)
  await runGit([...inClone, 'fsck', '--connectivity-only'])
})

// Not synchronously: the fake runs in this process.
async function runGit(args: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  execFile('git', args, { env: { ...process.env, GIT_TERMINAL_PROMPT: '0' } }, (error, stdout, stderr) =>
    error === null ? resolve(stdout) : reject(new Error(`${error.message} ${stderr}`)),
  )
  return promise
}
