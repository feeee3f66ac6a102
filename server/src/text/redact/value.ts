// Whether what stands where a secret would stand is one.
import { countDistinct, isHex, isMadeOfWords, isRandom, isUuid } from './randomness.ts'

const placeholderPatterns = [
  /^<|^\{|^\[|^%[A-Za-z_]{1,60}%$|^\.\.|^…|^!/, // <token>, {{ token }}, [your key], %TOKEN%, !secret name
  /^\$(?:[{(]|[A-Za-z_]\w{0,60}-?(?:>|$))/, // ${TOKEN}, $(cat token), $TOKEN, $request->input
  /^#\{|^\*{1,120}$|^&\w/,
  /(?:^|[_\W])(?:your|my|example|sample|placeholder|dummy|fake|insert|replace|redacted|changeme|todo)(?:$|[_\W])/i,
  /change[-_]?me|replace[-_]?(?:me|with|this)|xxxx|\*\*\*\*|your[-_]?(?:api|token|key|secret|password)/i,
  /\$\{/,
]
const reference =
  /^(?:process\.env|os\.(?:environ|getenv)|env[.:[(]|settings\.|config\.|secrets?\.|vars?\.|self\.|this\.|ENV\[)/
const address = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|[~.]{0,2}\/[\w.-]{1,60}(?:\/|$)|[A-Z]:\\)/
const call = /^[A-Za-z_$@](?:[\w$.?]|::|->){0,80}[([]/
const path = /^[A-Za-z_$][\w$]{0,60}(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]{0,60}){1,8}$/
const identifierPattern = /^[A-Za-z_]\w{0,80}$/
const credentialName = /pass(?:word|wd|phrase)|secret|token|credential|(?:api|access|private)_?key/i
const symbols = /[!@#$%^&*+=~?]/

// Where a secret is called by its name, chance may form a few words in it.
const MIN_WORD_SHARE = 0.7
const MAX_WORD_LENGTH = 12
const MAX_PLACEHOLDER_LENGTH = 120

/** Most of what follows the name of a secret is a word: to tell that costs next to nothing. */
export function couldBeSecret(value: string): boolean {
  return value.length >= MAX_WORD_LENGTH || /[0-9!@#$%^&*+~?]/.test(value)
}

/** What people write instead of a secret. */
export function isPlaceholder(whole: string): boolean {
  const value = whole.slice(0, MAX_PLACEHOLDER_LENGTH)
  if (countDistinct(value.replaceAll(/[-_. ]/g, '')) <= 3) return true
  return placeholderPatterns.some((pattern) => pattern.test(value))
}

/** Where the secret is read from, or what is said of it, rather than the secret. */
function isReference(value: string): boolean {
  if (reference.test(value) || isSentence(value)) return true
  if (
    identifierPattern.test(value) &&
    credentialName.test(value) &&
    isMadeOfWords(value) &&
    value.length > 12
  )
    return true
  if (address.test(value)) return !isRandom(value.replaceAll(/[/.~]/g, ''))
  const called = call.exec(value)
  if (called !== null && isMadeOfWords(called[0])) return true
  return path.test(value) && isMadeOfWords(value) && !/[0-9]{2}$/.test(value)
}

/** A message about a password stands where a password would. */
function isSentence(value: string): boolean {
  return value.includes(' ') && isMadeOfWords(value)
}

/** Chosen by a person or drawn: anything but a plain word. */
export function isPassword(value: string): boolean {
  if (value.length < 5 || !couldBeSecret(value) || isPlaceholder(value) || isReference(value)) return false
  if (!/[A-Za-z]/.test(value)) return /[0-9]/.test(value) && value.length >= 6
  return /[0-9]/.test(value) || symbols.test(value) || isRandom(value)
}

/** As a password that somebody mentions: words with a number are too often something else. */
export function isSpokenPassword(value: string): boolean {
  if (
    value.length < 8 ||
    !couldBeSecret(value) ||
    isPlaceholder(value) ||
    isReference(value) ||
    !/[A-Za-z]/.test(value)
  )
    return false
  return (/[0-9]/.test(value) && symbols.test(value)) || isRandom(value)
}

/** Drawn by a machine, or a password in place of it. */
export function isSecret(value: string, minLength = 8): boolean {
  if (value.length < minLength || isPlaceholder(value) || isReference(value)) return false
  if (isUuid(value) || isHex(value, 16) || isRandom(value, MIN_WORD_SHARE)) return true
  return /[0-9]/.test(value) && symbols.test(value) && /[A-Za-z]/.test(value) && !value.includes('://')
}

export function isMachineGenerated(value: string, minLength: number): boolean {
  if (value.length < minLength || isPlaceholder(value) || isReference(value)) return false
  return isUuid(value) || isHex(value, 32) || (isRandom(value) && /[A-Za-z]/.test(value))
}
