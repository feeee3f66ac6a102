// Checks the workflows of GitHub: a tag of an action can be moved by anybody who takes over its repository, a commit cannot.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = globSync('.github/**/*.{yml,yaml}', { cwd: root })

/** Actions of others that are not pinned by commit, with the exact version as a comment for Dependabot. */
function findUnpinned(text: string): string[] {
  return [...text.matchAll(/^[ -]*uses:\s*(.*)$/gm)]
    .map(([, action = '']) => action)
    .filter((action) => !action.startsWith('./'))
    .filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))
}

void describe('the workflows', () => {
  void it('use actions of others by commit, with their version', () => {
    const found = files.map((file) => readFileSync(`${root}${file}`, 'utf8'))
    assert.ok(found.join('').match(/uses:/g)?.length)
    assert.deepEqual(found.flatMap(findUnpinned), [])
  })

  void it('are refused with a tag, a branch or a commit without its version', () => {
    const commit = '0'.repeat(40)
    for (const action of ['actions/checkout@v6', 'actions/checkout@main', `actions/checkout@${commit}`])
      assert.deepEqual(findUnpinned(`    steps:\n      - uses: ${action}\n`), [action])
    assert.deepEqual(findUnpinned(`- uses: ./.github/x\n- uses: a/b@${commit} # v1.2.3\n`), [])
  })
})
