import { toMarkerKind } from './redact/names.ts'
import { LOOK_BACK_CHARACTERS, type RedactionRule } from './redact/rule.ts'
import { rules } from './redact/rules.ts'

/** Increment it when the rules change. Ids derive from redacted text, so every version must remain computable. */
export const REDACTOR_VERSION = 1

export interface RedactedText {
  readonly text: string
  readonly version: number
  /** The distinct kinds of secrets that were replaced. */
  readonly kinds: readonly string[]
}

interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly name: string
}

const MAX_PASSES = 8
const LONG_SECRET_LENGTH = 255
const marker = /\[REDACTED:[a-z0-9_]{1,40}\]/g

/** Replaces every secret by a typed marker. Idempotent. */
export function redact(text: string, version = REDACTOR_VERSION): RedactedText {
  const active = rules.filter(({ since, until }) => since <= version && version <= (until ?? version))
  const found = new Set<string>()
  let current = text
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = redactOnce(current, active, found)
    if (next === current) return { text: current, version, kinds: [...found] }
    current = next
  }
  // Only adversarial input does not converge.
  return { text: renderMarker('unreadable'), version, kinds: ['unreadable'] }
}

/** Skips existing markers, so that nothing inside or across a marker matches. */
function redactOnce(text: string, active: readonly RedactionRule[], found: Set<string>): string {
  let written = ''
  let from = 0
  for (const { 0: marked, index } of text.matchAll(marker)) {
    written += redactPiece(text.slice(from, index), active, found) + marked
    from = index + marked.length
  }
  return written + redactPiece(text.slice(from), active, found)
}

function redactPiece(text: string, active: readonly RedactionRule[], found: Set<string>): string {
  const lowercase = text.toLowerCase()
  const spans = active
    .filter(({ literals }) => literals.some((literal) => lowercase.includes(literal)))
    .flatMap((rule) => findSecrets(text, rule))
  let written = ''
  let from = 0
  for (const { start, end, name } of mergeSpans(spans)) {
    written += text.slice(from, start) + renderMarker(name)
    found.add(name)
    from = end
  }
  return written + text.slice(from)
}

export function findSecrets(text: string, { name, pattern, check }: RedactionRule): SecretSpan[] {
  const spans: SecretSpan[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { index, groups = {} } = match
    const [start, end] = match.indices?.groups?.['secret'] ?? [index, index]
    const secret = text.slice(start, end)
    const isSecret =
      check?.({
        secret,
        before: text.slice(Math.max(0, index - LOOK_BACK_CHARACTERS), index),
        group: (wanted) => groups[wanted] ?? '',
      }) ?? true
    if (isSecret) {
      const whole = secret.length < LONG_SECRET_LENGTH ? end : findRunEnd(text, end)
      spans.push({
        start,
        end: whole,
        name: groups['word'] === undefined ? name : toMarkerKind(groups['word']),
      })
      pattern.lastIndex = Math.max(pattern.lastIndex, whole)
    }
    // A rejected value after a name may contain another name; a rejected token contains nothing.
    else if (groups['word'] !== undefined) pattern.lastIndex = index + 1
    if (pattern.lastIndex === index) pattern.lastIndex++
  }
  return spans
}

/** Patterns are bounded, so a longer secret continues to the end of its run. */
function findRunEnd(text: string, from: number): number {
  const rest = /[A-Za-z0-9+/=_.%-]{0,20000}/y
  rest.lastIndex = from
  return from + (rest.exec(text)?.[0].length ?? 0)
}

/** Merges overlapping spans; the earlier rule names the result. */
function mergeSpans(spans: readonly SecretSpan[]): SecretSpan[] {
  const merged: SecretSpan[] = []
  const order = new Map(spans.map((span, position) => [span, position]))
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) merged.push(span)
    else {
      const first = (order.get(last) ?? 0) <= (order.get(span) ?? 0) ? last : span
      const both = { start: last.start, end: Math.max(last.end, span.end), name: first.name }
      order.set(both, Math.min(order.get(last) ?? 0, order.get(span) ?? 0))
      merged[merged.length - 1] = both
    }
  }
  return merged
}

function renderMarker(name: string): string {
  return `[REDACTED:${name}]`
}
