import * as change from './change.ts'
import type { Base } from './code/base.ts'
import { type File, fileOf, keysOf } from './file.ts'

/** One edit of a repository between two scans. */
export interface EditCase {
  readonly kind: string
  readonly name: string
  readonly before: readonly File[]
  readonly after: readonly File[]
  /** The findings that the edit is about: only pairs with one of these count. */
  readonly subjects: ReadonlySet<string>
}

type Blocks = File['blocks']

/** Every edit of one file; another file of the repository stays as it is. */
export function editsOf(base: Base, neighbour: Base): EditCase[] {
  const file = fileOf(base)
  return [
    ...editsOfFile(base, file),
    ...Object.keys(base.findings).flatMap((mark) => editsOfFinding(base, file, Number(mark))),
  ].map(({ kind, name, before = file.blocks, after, subjects }) => ({
    kind,
    name: `${base.path}: ${name}`,
    before: [{ path: base.path, blocks: before }, fileOf(neighbour)],
    after: [...after, fileOf(neighbour)],
    subjects: new Set(subjects ?? [...keysOf(before), ...after.flatMap(({ blocks }) => keysOf(blocks))]),
  }))
}

interface Edit {
  readonly kind: string
  readonly name: string
  /** Not the file as it was written first. */
  readonly before?: Blocks
  readonly after: readonly File[]
  /** Absent: every finding of the file. */
  readonly subjects?: readonly string[]
}

function editsOfFile(base: Base, { path, blocks }: File): Edit[] {
  const { renamed } = base
  const filler = change.fillerOf(base)
  const shifted = change.addAfterHead(blocks, filler, filler)
  const [head = [], first = [], ...rest] = blocks
  const here = (after: Blocks): File[] => [{ path, blocks: after }]
  const there = (to: string, after: Blocks): File[] => [{ path: to, blocks: after }]
  const edit = (kind: string, name: string, after: readonly File[]): Edit => ({ kind, name, after })
  return [
    edit('lines moved', 'functions added above', here(shifted)),
    edit('lines moved', 'functions added between', here(change.addBetween(blocks, filler))),
    edit('lines moved', 'functions in another order', here(change.reverse(blocks))),
    edit(
      'lines moved',
      'another order, more between',
      here(change.addBetween(change.reverse(blocks), filler)),
    ),
    edit('lines moved', 'comments around', here(change.editNeighbours(base, blocks))),
    edit('renamed file', 'another name', there(renamed, blocks)),
    edit('renamed file', 'another folder', there(change.sameNameElsewhere(path), blocks)),
    edit('renamed file', 'another name, more lines', there(renamed, change.growHead(base, shifted))),
    edit(
      'renamed file',
      'another name, comments around',
      there(renamed, change.editNeighbours(base, blocks)),
    ),
    edit('renamed file', 'first function to a new file', [
      { path, blocks: [head, ...rest] },
      { path: renamed, blocks: [head, first] },
    ]),
    edit('reformatted', 'indentation and quotes', here(change.reindent(path, blocks))),
    edit('reformatted', 'one argument a line', here(change.wrap(blocks))),
    edit('reformatted', 'both, and moved', here(change.wrap(change.reindent(path, shifted)))),
    edit('reformatted', 'both, and renamed', there(renamed, change.wrap(change.reindent(path, blocks)))),
    edit('really new', 'at the end', here([...blocks, change.freshOf(base)])),
    edit('really new', 'at the top', here(change.addAfterHead(blocks, change.freshOf(base)))),
    edit('really new', 'in a new file', [...here(blocks), ...there(renamed, [head, change.freshOf(base)])]),
    ...equalLines({ path, blocks }, first),
  ]
}

function equalLines({ path, blocks }: File, first: Blocks[number]): Edit[] {
  const copy = change.copyOf(first)
  const [key = ''] = keysOf([first])
  const both = [...blocks, copy]
  const kind = 'two equal lines'
  const of = (name: string, before: Blocks, after: Blocks): Edit => ({
    kind,
    name,
    before,
    after: [{ path, blocks: after }],
    subjects: keysOf([first, copy]),
  })
  const gone = (from: Blocks, which: string) => change.rewrite(from, which, '    return null', false)
  return [
    of('a copy behind', blocks, both),
    of('a copy before', blocks, change.addAfterHead(blocks, copy)),
    of('the first fixed', both, gone(both, key)),
    of('the second fixed', both, gone(both, `${key}-copy`)),
    of('the first deleted', both, change.without(both, first)),
    of('both moved', both, change.reverse(both)),
  ]
}

function editsOfFinding(base: Base, { path, blocks }: File, mark: number): Edit[] {
  const key = `${path}#${mark}`
  const { edited = '', fixed = '' } = base.findings[mark] ?? {}
  const filler = change.fillerOf(base)
  const fresh = change.freshOf(base)
  const withEdit = change.rewrite(blocks, key, edited, true)
  const withFix = change.rewrite(blocks, key, fixed, false)
  const subjects = [key, `${path}#fresh`]
  const of = (kind: string, name: string, after: Blocks, to = path): Edit => ({
    kind,
    name: `${name} (${mark})`,
    after: [{ path: to, blocks: after }],
    subjects,
  })
  const block = change.blockOf(blocks, key)
  return [
    of('really fixed', 'in place', withFix),
    of('really fixed', 'and lines moved', change.addAfterHead(withFix, filler)),
    of('really fixed', 'its function is gone', change.without(blocks, block)),
    of('really fixed', 'and another is new', [...withFix, fresh]),
    of('really fixed', 'its function is gone, another is new', [...change.without(blocks, block), fresh]),
    of('moved and edited', 'edited in place', withEdit),
    of('moved and edited', 'below two functions', change.addAfterHead(withEdit, filler, filler)),
    of('moved and edited', 'in another order', change.reverse(withEdit)),
    of('moved and edited', 'in a renamed file', withEdit, base.renamed),
    of('moved and edited', 'reformatted too', change.wrap(change.addAfterHead(withEdit, filler))),
  ]
}
