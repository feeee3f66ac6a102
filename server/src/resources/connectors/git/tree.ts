export interface TreeEntry {
  readonly kind: 'directory' | 'file' | 'other'
  readonly id: string
}

export type Tree = ReadonlyMap<string, TreeEntry>

const ID_BYTES = 20

/** Parses a tree object. Symbolic links and submodules are `other`: they are never followed. */
export function parseTree(content: Buffer): Tree {
  const tree = new Map<string, TreeEntry>()
  let position = 0
  while (position < content.length) {
    const space = content.indexOf(32, position)
    const zero = content.indexOf(0, space)
    if (space === -1 || zero === -1 || zero + ID_BYTES >= content.length + 1) break
    const mode = content.toString('latin1', position, space)
    const name = content.toString('utf8', space + 1, zero)
    position = zero + 1 + ID_BYTES
    tree.set(name, { kind: toKind(mode), id: content.toString('hex', zero + 1, position) })
  }
  return tree
}

function toKind(mode: string): TreeEntry['kind'] {
  if (mode === '40000' || mode === '040000') return 'directory'
  return mode.startsWith('100') ? 'file' : 'other'
}
