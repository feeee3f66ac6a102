// Reads the cases of an evaluation. README.md describes the format.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atLine } from '../proofs/tools/json-lines.ts'
import { type Case, requireFields } from './evaluation.ts'

/**
 * All data files of a folder, or one file. What does not name its set and source has those of its file. Nothing may have
 * been chosen on a case that does not say so: it is held out.
 */
export function readCases(path: URL): Case[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .toSorted()
        .map((name) => new URL(name, `${path.href}/`))
    : [path]
  return files.flatMap((file) => {
    const [source, set] = [basename(fileURLToPath(file)), basename(fileURLToPath(file), '.jsonl')]
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    return lines.map((line, index) => atLine(file, index + 1, () => parseCase(line, { set, source })))
  })
}

function parseCase(line: string, common: Pick<Case, 'set' | 'source'>): Case {
  const given = JSON.parse(line) as Partial<Case>
  const defaults = { ...common, split: 'held-out', kind: given.set ?? common.set }
  const one = requireFields<Case>({ ...defaults, ...given }, 'set', 'source', 'split', 'id', 'kind')
  if (!['calibration', 'held-out'].includes(one.split))
    throw new Error('"split" must be calibration or held-out')
  return one
}
