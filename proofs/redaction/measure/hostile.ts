import type { RedactionRule } from '../../../server/test/redaction.ts'

const SIZE = 100_000
const SUSPICIOUS_MILLISECONDS = 10
const REPEATS = 3
const LITERALS_OF_A_RULE = 4

type Search = (text: string, rule: RedactionRule) => unknown

export interface Slowest {
  readonly rule: string
  readonly milliseconds: number
  readonly searches: number
}

const fill = (unit: string) => unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE)

const beginning = `-----BEGIN ${['PRIVATE', 'KEY'].join(' ')}-----`

/** Made for no rule in particular: long runs, nested quotes, names without end. */
const everywhere = [
  'a',
  'A1b2',
  'a1_',
  '-',
  '"',
  '\\"',
  ' ',
  '\n',
  'x.',
  'a b ',
  '"\'`',
  '=',
  ': ',
  'password ',
  'password=',
  'password: "',
  'token, "a" ',
  "key: '",
  'key is key ',
  'pass pass=pass,pass;',
  '--token ',
  'password a a a a a a ',
  'key key: aB3',
  'token: string = ',
  'token````',
  'secret_a_b_c',
  '://a:',
  'https://hook/',
  '?secret=',
  '&key=a1',
  'cookie: a=',
  'eyJa.',
  '1.a:22:',
  'basic QWxhZGRpbjpvcGVu ',
  'credentials for a to b ',
  'mysql -',
  'echo a | ',
  'password\\\\"',
  `https://hook/${'a'.repeat(16)}`,
  `${'a1B2c3D4'.repeat(30)} `,
  `${'x'.repeat(63)}" `,
  `${'aB3-'.repeat(9)} `,
  beginning,
  beginning + '+'.repeat(300),
  beginning + '\n+/+/'.repeat(60),
].map(fill)

/** Made for one rule: its beginnings over and over, almost a match, and a match that does not end. */
function madeFor({ literals }: RedactionRule): string[] {
  return literals
    .filter((literal) => literal !== '')
    .slice(0, LITERALS_OF_A_RULE)
    .flatMap((literal) => [literal, literal.toUpperCase()])
    .flatMap((start) => [
      fill(start),
      fill(`${start} `),
      fill(`${start}="`),
      fill(`${start}a1B`),
      fill(`${start}${'a'.repeat(15)} `),
      fill(`${start}${'aB3_x'.repeat(20)}!`),
      start + fill('aB1'),
    ])
}

/** Time of the processor, the best of three: a busy machine is not taken for a slow pattern. */
export function findSlowest(rules: readonly RedactionRule[], search: Search, quick: boolean): Slowest {
  let slowest: Slowest = { rule: '', milliseconds: 0, searches: 0 }
  let searches = 0
  for (const rule of rules) {
    for (const text of quick ? madeFor(rule).slice(0, 7) : [...madeFor(rule), ...everywhere]) {
      searches++
      let best = time(search, text, rule)
      for (let repeat = 1; repeat < REPEATS && best > SUSPICIOUS_MILLISECONDS; repeat++)
        best = Math.min(best, time(search, text, rule))
      if (best > slowest.milliseconds) slowest = { rule: rule.name, milliseconds: best, searches: 0 }
    }
  }
  return { ...slowest, searches }
}

function time(search: Search, text: string, rule: RedactionRule): number {
  const start = process.threadCpuUsage()
  search(text, rule)
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
