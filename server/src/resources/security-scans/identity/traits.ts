import { hash } from 'node:crypto'
import { createSketch } from '../../../text/sketch.ts'

const MAX_CODE_CHARACTERS = 4000
const DIGEST_LENGTH = 16

// Formatting is ignored: white space, commas, semicolons and quotes are not tokens.
const token = /[\p{L}_$][\p{L}\p{M}\p{N}_$]{0,200}|\p{N}{1,50}|[^\s,;'"`\\]/gu

/** What is stored of a finding's code: digests, never the code itself. */
export interface CodeTraits {
  /** Digests of the code and of the code with the lines around it; null if the scanner sent none. */
  readonly snippet: string | null
  readonly context: string | null
  /** Sketches of the code and of its surroundings, which estimate how similar two pieces of code are. */
  readonly sketch: string
  readonly around: string
}

/** Everything that identifies a finding in a later scan. */
export interface FindingTraits extends CodeTraits {
  readonly rule: string
  /** The scanner's last and first fingerprint; our own SARIF files carry the first. */
  readonly fingerprint: string | null
  readonly firstFingerprint: string | null
  readonly path: string
  readonly start: number | null
  readonly end: number | null
}

/** Compact, because an event can have a thousand of them. */
export function packCode({ snippet, context, sketch, around }: CodeTraits): string {
  return [snippet ?? '', context ?? '', sketch, around].join('.')
}

export function unpackCode(packed: string): CodeTraits {
  const [snippet = '', context = '', sketch = '', around = ''] = packed.split('.')
  return { snippet: snippet || null, context: context || null, sketch, around }
}

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
