import { hashText } from './hash.ts'
import { parseRulesFile, type RulesFile } from './parse.ts'

/** `path` decides on the format. */
export function readRulesFile(path: string, content: string): RulesFile {
  return parseRulesFile(path, content, hashText)
}
