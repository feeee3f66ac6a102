import words from './words.json' with { type: 'json' }

// Each line of `irregular` is a base, then the forms that no rule brings to it.
const irregular: ReadonlyMap<string, string> = new Map(
  words.irregular.flatMap((line) => {
    const [base = '', ...forms] = line.split(' ')
    return forms.map((form) => [form, base] as const)
  }),
)
/** Words that look like a plural or a verb form and are none. */
const unfolded = toWordSet(words.unfolded)
/** Bases in e, in ways that no rule of endings tells. */
const keepsE = toWordSet(words.keepsE)
/** Bases without e, where a rule of endings would add one. */
const withoutE = toWordSet(words.withoutE)

// Written endings that only follow a verb whose base ends in e, once -ing or -ed is taken away.
const losesE = new RegExp(
  [
    '[^aeo]at|cre?at|[aeiouycnrl]c|[aeioulnrpyw]s|[^z]z|[^aeiou]y?z|v|u',
    '[bcdfgkptz]l|[dralu]g|(?:ch|r)ang|leng',
    '[^aeiou][iua]r|[^aeiou]in|[^aeiou][iu]l|yl|[^aeiou]ut|[^aeiou]ad|[^aeiou][iu]d|[^aeiou][aio]k',
    '[^aeiou][ayio]p|[^aeiou][au]m|[rc]rib|scrib|prob|tub',
  ]
    .map((endings) => `(?:${endings})$`)
    .join('|'),
)
const consonantVowelConsonant = /^[^aeiou]{1,2}[aeiouy][^aeiouwxy]$/
const doubled = /(?:bb|dd|gg|mm|nn|pp|rr|tt)$/
const british = /(?:al|im|or|on|er|an|at|it|in|il|om|og)is(?:e|ation)$/
const hasVowel = /[aeiouy]/
const onlyLetters = /^[a-z]{4,32}$/

export function toWordSet(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

/**
 * Brings plurals and verb forms to one word: caches, cached and caching become cache. Other derivations stay apart:
 * what is folded wrongly here could never be found again.
 */
export function fold(word: string): string {
  const base = foldEnding(word)
  return base.length > 6 && british.test(base) ? base.replace(/is(e|ation)$/, 'iz$1') : base
}

function foldEnding(word: string): string {
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (!onlyLetters.test(word) || unfolded.has(word)) return word
  if (word.endsWith('s')) return foldPlural(word)
  if (word.endsWith('ing')) return foldVerb(word, word.slice(0, -3))
  if (word.endsWith('ied')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (word.endsWith('ed') && !word.endsWith('eed')) return foldVerb(word, word.slice(0, -2))
  return word
}

function foldPlural(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (/(?:x|ch|sh|ss|zz|o|[^aoc]us)es$/.test(word) && !keepsE.has(word.slice(0, -1))) return word.slice(0, -2)
  const singular = word.slice(0, -1)
  // settings, warnings, rendering passes: the noun is folded as the verb form it came from.
  return singular.endsWith('ing') ? foldEnding(singular) : singular
}

function foldVerb(word: string, stem: string): string {
  if (stem.length < 3 || !hasVowel.test(stem)) return word
  const whole = `${stem}e`
  if (keepsE.has(whole)) return whole
  if (doubled.test(stem)) return stem.length > 3 ? stem.slice(0, -1) : stem
  if (stem.endsWith('ll')) return withoutE.has(stem.slice(0, -1)) ? stem.slice(0, -1) : stem
  if (withoutE.has(stem)) return stem
  return losesE.test(stem) || consonantVowelConsonant.test(stem) ? whole : stem
}
