import { hash } from 'node:crypto'
import { createSketch } from './sketch.ts'
import type { CodeTraits } from './traits.ts'

const MAX_CODE_CHARACTERS = 4000
const DIGEST_LENGTH = 16

// Formatting is ignored: white space, commas, semicolons and quotes are not tokens.
const token = /[\p{L}_$][\p{L}\p{M}\p{N}_$]{0,200}|\p{N}{1,50}|[^\s,;'"`\\]/gu

/** Computes digests of redacted code. Code that differs only in formatting has equal digests. */
export function describeCode(snippet: string | null, context: string | null): CodeTraits {
  const tokens = tokenize(snippet)
  const all = tokenize(context)
  return {
    snippet: digestTokens(tokens),
    context: digestTokens(all),
    sketch: createSketch(tokens),
    around: createSketch(removeRun(all, tokens)),
  }
}

function tokenize(text: string | null): readonly string[] {
  return text?.slice(0, MAX_CODE_CHARACTERS).match(token) ?? []
}

function digestTokens(tokens: readonly string[]): string | null {
  if (tokens.length === 0) return null
  return hash('sha256', tokens.join(' '), 'base64url').slice(0, DIGEST_LENGTH)
}

/** Removes the code from its context: the surroundings may be unchanged when the code is edited. */
function removeRun(all: readonly string[], run: readonly string[]): readonly string[] {
  const [first] = run
  if (first === undefined) return all
  for (let at = all.indexOf(first); at !== -1; at = all.indexOf(first, at + 1)) {
    if (run.every((item, offset) => all[at + offset] === item)) {
      return [...all.slice(0, at), ...all.slice(at + run.length)]
    }
  }
  return all
}
