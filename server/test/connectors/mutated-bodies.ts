// Bodies of the corpus, changed at random: cut, repeated, nested, mixed with each other and with hostile texts.
import type { CorpusItem } from './parser-corpus.ts'

/** A number from 0 up to, but not including, 1. */
export type Next = () => number

/** Texts that have broken parsers: deep nesting, long runs, unfinished marks, bad escapes. */
export const hostileTexts: readonly string[] = [
  '<details>'.repeat(20_000),
  '<details>\n'.repeat(50_000),
  '<details><summary>'.repeat(10_000),
  '</details></summary>'.repeat(5000),
  '<!--'.repeat(20_000),
  '-->'.repeat(5000),
  '> '.repeat(20_000),
  '`'.repeat(50_000),
  '```\n'.repeat(5000),
  '*'.repeat(50_000),
  '_'.repeat(50_000),
  '['.repeat(50_000),
  ']('.repeat(20_000),
  '!['.repeat(20_000),
  '|'.repeat(50_000),
  '&#x110000;&#xD800;&#99999999;&amp',
  '\u{0}\u{FFFD}\u{202E}\uD800',
  '/blob/abcdef1/50%E0%A4%A.ts#L1-L2',
  '#L99999999999999999999-L1',
  'a '.repeat(100_000),
  'alt="'.repeat(10_000),
  '<img alt='.repeat(10_000),
  '(99999999999999999999)',
  '__proto__ constructor toString',
  ' \t'.repeat(30_000),
]

const pieces =
  '<details> </details> <summary> </summary> <!-- --> ``` ~~~ > ** _ | ` [ ]( ![P1](x) <img/alt="P1"> &lt; (3) `1-2`: #discussion_r1 🔴 ✅'
    .split(' ')
    .concat('\r\n', '\r', '\u200b')

/** Changes a body one to five times. */
export function mutate(next: Next, items: readonly CorpusItem[], body: string): string {
  let mutated = body
  for (let times = 1 + below(next, 5); times > 0; times--) mutated = mutateOnce(next, items, mutated)
  return mutated
}

function mutateOnce(next: Next, items: readonly CorpusItem[], body: string): string {
  const at = below(next, body.length + 1)
  const end = at + below(next, Math.min(400, body.length - at + 1))
  switch (below(next, 9)) {
    case 0:
      return body.slice(0, at)
    case 1:
      return body.slice(0, at) + body.slice(end)
    case 2:
      return body.slice(0, at) + body.slice(at, end).repeat(2 + below(next, 6)) + body.slice(end)
    case 3:
      return body.slice(0, at) + pick(next, pieces) + body.slice(at)
    case 4:
      return body.slice(0, at) + String.fromCharCode(below(next, 0x10000)) + body.slice(at + 1)
    case 5:
      return body.slice(0, at) + pick(next, items).body.slice(0, 3000) + body.slice(at)
    case 6:
      return body.split('\n').toSorted().join('\n')
    case 7:
      return body.slice(at, end) + body.slice(0, at) + body.slice(end)
    default:
      return next() < 0.02
        ? body.slice(0, at) + pick(next, hostileTexts) + body.slice(at)
        : body.replaceAll('\n', '\r\n')
  }
}

function below(next: Next, limit: number): number {
  return Math.floor(next() * limit)
}

function pick<Item>(next: Next, items: readonly Item[]): Item {
  return items[below(next, items.length)] as Item
}
