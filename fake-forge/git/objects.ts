// Writes git objects and refs without a git process: thousands of commits a second.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'

export interface Identity {
  readonly name: string
  readonly email: string
}

export interface CommitObject {
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Identity
  readonly at: number
  readonly message: string
}

const config = `[core]
\trepositoryformatversion = 0
\tbare = true
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
[http]
\treceivepack = false
`

export function initializeBareRepository(directory: string): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    mkdirSync(join(directory, folder), { recursive: true })
  writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(directory, 'config'), config)
}

/** `sha` null deletes the ref. */
export function writeRef(directory: string, name: string, sha: string | null): void {
  const path = join(directory, name)
  if (sha === null) return rmSync(path, { force: true })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${sha}\n`)
}

/** Returns the object's id; `directory` null only computes it. */
export function writeObject(
  directory: string | null,
  kind: 'blob' | 'tree' | 'commit',
  content: Buffer,
): string {
  const whole = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content])
  const sha = createHash('sha1').update(whole).digest('hex')
  if (directory === null) return sha
  const folder = join(directory, 'objects', sha.slice(0, 2))
  const path = join(folder, sha.slice(2))
  if (existsSync(path)) return sha
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, deflateSync(whole, { level: 1 }))
  return sha
}

/** Writes the tree of `files` (path to blob id) with its folders. */
export function writeTree(directory: string | null, files: ReadonlyMap<string, string>): string {
  const blobs = new Map<string, string>()
  const folders = new Map<string, Map<string, string>>()
  for (const [path, sha] of files) {
    const slash = path.indexOf('/')
    if (slash === -1) {
      blobs.set(path, sha)
      continue
    }
    const folder = path.slice(0, slash)
    const inner = folders.get(folder) ?? new Map<string, string>()
    folders.set(folder, inner.set(path.slice(slash + 1), sha))
  }
  const entries = [
    ...[...blobs].map(([name, sha]) => ({ mode: '100644', name, sha, order: name })),
    ...[...folders].map(([name, inner]) => ({
      mode: '40000',
      name,
      sha: writeTree(directory, inner),
      order: `${name}/`,
    })),
  ].sort((a, b) => Buffer.compare(Buffer.from(a.order), Buffer.from(b.order)))
  const content = entries.flatMap(({ mode, name, sha }) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(sha, 'hex'),
  ])
  return writeObject(directory, 'tree', Buffer.concat(content))
}

export function writeCommit(directory: string | null, commit: CommitObject): string {
  const { tree, parents, author, at, message } = commit
  const signature = `${author.name} <${author.email}> ${Math.floor(at / 1000)} +0000`
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${signature}`,
    `committer ${signature}`,
    '',
    message,
  ]
  return writeObject(directory, 'commit', Buffer.from(lines.join('\n')))
}
