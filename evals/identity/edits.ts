import * as change from './change.ts'
import { type File, getFindingKeys, parseFile } from './file.ts'
import type { CodeSample } from './samples.ts'

/** One edit of a repository between two scans. */
export interface EditCase {
  readonly kind: string
  readonly name: string
  readonly before: readonly File[]
  readonly after: readonly File[]
  /** Keys of the findings that the edit affects. Only pairs with one of these are counted. */
  readonly subjects: ReadonlySet<string>
}

type Blocks = File['blocks']

/** Every edit of one file. Another file of the repository does not change. */
export function createEditCases(sample: CodeSample, unchanged: CodeSample): EditCase[] {
  const file = parseFile(sample)
  return [
    ...editFile(sample, file),
    ...Object.keys(sample.findings).flatMap((mark) => editFinding(sample, file, mark)),
  ].map(({ kind, name, before = file.blocks, after, subjects }) => ({
    kind,
    name: `${sample.id}: ${name}`,
    before: [{ path: sample.id, blocks: before }, parseFile(unchanged)],
    after: [...after, parseFile(unchanged)],
    subjects: new Set(
      subjects ?? [...getFindingKeys(before), ...after.flatMap(({ blocks }) => getFindingKeys(blocks))],
    ),
  }))
}

interface Edit {
  readonly kind: string
  readonly name: string
  /** Absent: the file of the sample. */
  readonly before?: Blocks
  readonly after: readonly File[]
  /** Absent: every finding of the file. */
  readonly subjects?: readonly string[]
}

function editFile(sample: CodeSample, { path, blocks }: File): Edit[] {
  const { renamed } = sample
  const filler = change.getFillerLines(sample)
  const shifted = change.addAfterHead(blocks, filler, filler)
  const [head = [], first = [], ...rest] = blocks
  const here = (after: Blocks): File[] => [{ path, blocks: after }]
  const there = (to: string, after: Blocks): File[] => [{ path: to, blocks: after }]
  const edit = (kind: string, name: string, after: readonly File[]): Edit => ({ kind, name, after })
  return [
    edit('lines moved', 'functions added above', here(shifted)),
    edit('lines moved', 'functions added between', here(change.addBetween(blocks, filler))),
    edit('lines moved', 'functions in another order', here(change.reverseBlocks(blocks))),
    edit(
      'lines moved',
      'another order, functions added between',
      here(change.addBetween(change.reverseBlocks(blocks), filler)),
    ),
    edit('lines moved', 'comments added', here(change.addComments(sample, blocks))),
    edit('renamed file', 'another name', there(renamed, blocks)),
    edit('renamed file', 'another folder', there(change.moveToFolder(path), blocks)),
    edit('renamed file', 'another name, more lines', there(renamed, change.extendHead(sample, shifted))),
    edit('renamed file', 'another name, comments added', there(renamed, change.addComments(sample, blocks))),
    edit('renamed file', 'first function moved to a new file', [
      { path, blocks: [head, ...rest] },
      { path: renamed, blocks: [head, first] },
    ]),
    edit('reformatted', 'indentation and quotes', here(change.reindent(path, blocks))),
    edit('reformatted', 'one argument per line', here(change.wrap(blocks))),
    edit('reformatted', 'both, and moved', here(change.wrap(change.reindent(path, shifted)))),
    edit('reformatted', 'both, and renamed', there(renamed, change.wrap(change.reindent(path, blocks)))),
    edit('new finding', 'at the end', here([...blocks, change.getNewBlock(sample)])),
    edit('new finding', 'at the top', here(change.addAfterHead(blocks, change.getNewBlock(sample)))),
    edit('new finding', 'in a new file', [
      ...here(blocks),
      ...there(renamed, [head, change.getNewBlock(sample)]),
    ]),
    ...duplicateBlock({ path, blocks }, first),
  ]
}

function duplicateBlock({ path, blocks }: File, first: Blocks[number]): Edit[] {
  const copy = change.copyBlock(first)
  const [key = ''] = getFindingKeys([first])
  const both = [...blocks, copy]
  const kind = 'duplicated code'
  const edit = (name: string, before: Blocks, after: Blocks): Edit => ({
    kind,
    name,
    before,
    after: [{ path, blocks: after }],
    subjects: getFindingKeys([first, copy]),
  })
  const fix = (from: Blocks, which: string) => change.replaceLine(from, which, '    return null', false)
  return [
    edit('copy added at the end', blocks, both),
    edit('copy added at the top', blocks, change.addAfterHead(blocks, copy)),
    edit('the first fixed', both, fix(both, key)),
    edit('the second fixed', both, fix(both, `${key}-copy`)),
    edit('the first deleted', both, change.removeBlock(both, first)),
    edit('both moved', both, change.reverseBlocks(both)),
  ]
}

function editFinding(sample: CodeSample, { path, blocks }: File, mark: string): Edit[] {
  const key = `${path}#${mark}`
  const { edited = '', fixed = '' } = sample.findings[mark] ?? {}
  const filler = change.getFillerLines(sample)
  const newBlock = change.getNewBlock(sample)
  const withEdit = change.replaceLine(blocks, key, edited, true)
  const withFix = change.replaceLine(blocks, key, fixed, false)
  const subjects = [key, `${path}#new`]
  const edit = (kind: string, name: string, after: Blocks, to = path): Edit => ({
    kind,
    name: `${name} (${mark})`,
    after: [{ path: to, blocks: after }],
    subjects,
  })
  const block = change.findBlock(blocks, key)
  return [
    edit('fixed', 'in place', withFix),
    edit('fixed', 'and lines moved', change.addAfterHead(withFix, filler)),
    edit('fixed', 'function removed', change.removeBlock(blocks, block)),
    edit('fixed', 'and a new finding added', [...withFix, newBlock]),
    edit('fixed', 'function removed, new finding added', [...change.removeBlock(blocks, block), newBlock]),
    edit('moved and edited', 'edited in place', withEdit),
    edit('moved and edited', 'below two functions', change.addAfterHead(withEdit, filler, filler)),
    edit('moved and edited', 'in another order', change.reverseBlocks(withEdit)),
    edit('moved and edited', 'in a renamed file', withEdit, sample.renamed),
    edit('moved and edited', 'reformatted too', change.wrap(change.addAfterHead(withEdit, filler))),
  ]
}
