import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SimulatedClock } from '../clock.ts'
import { Forge, getCode } from '../forge.ts'
import { MergeConflictError } from '../git/code-repository.ts'
import type { MergeMethod } from '../model.ts'
import { mergePullRequest, openPullRequest } from '../pull-request.ts'

function createFixture() {
  const forge = new Forge({ clock: new SimulatedClock('2026-11-02T09:00:00Z'), gitFolder: null })
  const alice = forge.addUser('alice')
  const repository = forge.addRepository(forge.addOrganization('acme'), 'api', alice, {
    files: { 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n', 'b.txt': 'b\n' },
  })
  const pullRequest = openPullRequest(forge, repository, {
    title: 'Change a',
    author: alice,
    commits: [
      { message: 'First', changes: { 'a.txt': 'one\n2\n3\n4\n5\n6\n7\n8\n' } },
      { message: 'Second', changes: { 'b.txt': null } },
    ],
  })
  return { forge, alice, repository, pullRequest, code: getCode(repository) }
}

for (const [method, parents, added] of [
  ['merge', 2, 3],
  ['squash', 1, 1],
  ['rebase', 1, 2],
] as const satisfies readonly (readonly [MergeMethod, number, number])[])
  test(`${method} merges what both sides changed`, () => {
    const { forge, alice, repository, pullRequest, code } = createFixture()
    const changes = { 'a.txt': '1\n2\n3\n4\n5\n6\n7\neight\n' }
    const base = forge.commitToDefaultBranch(repository, alice, 'Change the end', changes)
    const sha = mergePullRequest(forge, pullRequest, alice, method)
    assert.equal(code.readFile(sha, 'a.txt'), 'one\n2\n3\n4\n5\n6\n7\neight\n')
    assert.equal(code.readFile(sha, 'b.txt'), null)
    assert.equal(code.getCommit(sha).parents.length, parents)
    assert.equal(code.listCommits(base, sha).length, added)
    assert.equal(code.getRef('refs/heads/main'), sha)
  })

test('a conflict changes nothing', () => {
  const { forge, alice, repository, pullRequest } = createFixture()
  const changes = { 'a.txt': 'uno\n2\n3\n4\n5\n6\n7\n8\n' }
  forge.commitToDefaultBranch(repository, alice, 'Change the same line', changes)
  assert.throws(() => mergePullRequest(forge, pullRequest, alice, 'squash'), MergeConflictError)
  assert.equal(pullRequest.state, 'open')
})
