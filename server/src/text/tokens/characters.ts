/** What a UTF-16 unit is to the tokenizer. */
export const OTHER = 0
export const LOWER = 1
export const UPPER = 2
export const DIGIT = 3
/** Part of a name: snake_case, $scope. */
export const BAR = 4
/** Holds parts together when letters stand on both sides: kebab-case, a.b, a/b, A::b. */
export const CONNECTOR = 5
/** Scripts that write no spaces between words. */
export const IDEOGRAPH = 6

const ascii = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code)
  if (character >= 'a' && character <= 'z') ascii[code] = LOWER
  else if (character >= 'A' && character <= 'Z') ascii[code] = UPPER
  else if (character >= '0' && character <= '9') ascii[code] = DIGIT
  else if (character === '_' || character === '$') ascii[code] = BAR
  else if ("-./:'".includes(character)) ascii[code] = CONNECTOR
}

const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const letters = /[\p{L}\p{M}]/u
const digits = /\p{N}/u
const APOSTROPHE = 0x2019

export function kindOf(code: number): number {
  return code < 128 ? (ascii[code] as number) : kindOfForeign(code)
}

function kindOfForeign(code: number): number {
  if (code === APOSTROPHE) return CONNECTOR
  const character = String.fromCharCode(code)
  if (ideographs.test(character)) return IDEOGRAPH
  if (letters.test(character)) return character === character.toLowerCase() ? LOWER : UPPER
  return digits.test(character) ? DIGIT : OTHER
}
