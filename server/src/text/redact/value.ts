// Decides whether a value in the position of a secret is one.
import { isUuid } from '../../ids.ts'
import { countDistinct, isHex, isMadeOfWords, isRandom } from './randomness.ts'

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

// For a named secret, tolerate a few words that occur by chance.
const MIN_WORD_SHARE = 0.7
const MAX_WORD_LENGTH = 12
const MAX_PLACEHOLDER_LENGTH = 120

/** Cheap first check: most values after such a name are plain words. */
export function couldBeSecret(value: string): boolean {
  return value.length >= MAX_WORD_LENGTH || /[0-9!@#$%^&*+~?]/.test(value)
}

/** Whether the value is a placeholder for a secret. */
export function isPlaceholder(whole: string): boolean {
  const value = whole.slice(0, MAX_PLACEHOLDER_LENGTH)
  if (countDistinct(value.replaceAll(/[-_. ]/g, '')) <= 3) return true
  return placeholderPatterns.some((pattern) => pattern.test(value))
}

/** Whether the value refers to a secret, or describes it. */
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

/** For example an error message about a password. */
function isSentence(value: string): boolean {
  return value.includes(' ') && isMadeOfWords(value)
}

/** Any value except a plain word, placeholder or reference. */
export function isPassword(value: string): boolean {
  if (value.length < 5 || !couldBeSecret(value) || isPlaceholder(value) || isReference(value)) return false
  if (!/[A-Za-z]/.test(value)) return /[0-9]/.test(value) && value.length >= 6
  return /[0-9]/.test(value) || symbols.test(value) || isRandom(value)
}

/** A password in prose: stricter, because words with a number are often something else. */
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

/** Machine-generated, or a password used in its place. */
export function isSecret(value: string, minLength = 8): boolean {
  if (value.length < minLength || isPlaceholder(value) || isReference(value)) return false
  if (isUuid(value) || isHex(value, 16) || isRandom(value, MIN_WORD_SHARE)) return true
  return /[0-9]/.test(value) && symbols.test(value) && /[A-Za-z]/.test(value) && !value.includes('://')
}

export function isMachineGenerated(value: string, minLength: number): boolean {
  if (value.length < minLength || isPlaceholder(value) || isReference(value)) return false
  return isUuid(value) || isHex(value, 32) || (isRandom(value) && /[A-Za-z]/.test(value))
}
