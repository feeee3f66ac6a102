import { classifyName, credentialLiterals, credentialWord, isPlural, type NameKind } from './names.ts'
import { countClasses } from './randomness.ts'
import { defineRule, type RedactionRule, type SecretMatch } from './rule.ts'
import { couldBeSecret, isMachineGenerated, isPassword, isSecret, isSpokenPassword } from './value.ts'

/** The redactor extends longer values to their end. */
const MAX_VALUE_LENGTH = 300

const tail = '(?<tail>[A-Za-z0-9]{0,16}(?:[_.-][A-Za-z0-9]{1,16}){0,3})'
const quote = '\\\\{0,3}["\'`]'
const gap = '[ \\t]{0,8}'
const closing = `(?:${quote}|[\\])*}?!]){0,4}`
const type = "(?::[ \\t]{0,2}[&\\w'.<>\\[\\]|?]{1,40}(?:[ \\t][\\w<>\\[\\]|]{1,20}){0,2}[ \\t]{0,4}(?==))?"
// A type between the name and the assignment sign, as in Go.
const typeAfter = '(?:(?:[ \\t]{1,2}(?:string|str|String))(?=[ \\t]{0,4}:?=))?'
const sign = `(?::=|\\|\\|=|\\?\\?=|\\+=|=>|<?->|<-|→|={1,3}|:{1,2}|(?<=["'\`][ \\t]{0,4}),(?=\\s{0,4}\\\\{0,3}["'\`])|\\((?=\\\\{0,3}["'\`])|\\|)`
const valueKey = `(?:${quote})?,?\\s{0,24}(?:${quote})?value(?:${quote})?${gap}[:=]`
const nextLine = '(?:(?:[|>][+-]?)?\\r?\\n[ \\t+>#-]{1,24})?'
const xml = '(?:\\s{1,4}type="[a-z]{1,20}")?>'
const quoted = `(?:[$@fbruNL]{0,2})(?<open>${quote})(?<secret>(?:(?!\\k<open>)[^\\r\\n]){4,${MAX_VALUE_LENGTH}})(?:\\k<open>|(?=[A-Za-z0-9+/=_-]{40}))`
const bareEnd = '(?<![.,;:?)\\]}|*_])'
// A comma or semicolon ends a value if another setting follows.
const bare = `(?<secret>(?:[^\\s"'\`<>\\\\,;|]|[,;](?![\\w .-]{0,30}[=:]|[\\s"'\`]|$)){4,${MAX_VALUE_LENGTH}})${bareEnd}`
const inQuery = `(?<secret>[^\\s"'\`<>&#?]{4,${MAX_VALUE_LENGTH}})`
const spokenQuote = '[\\\\"\'`(*]{0,5}'
const spoken = `(?<secret>[^\\s"'\`<>\\\\]{8,${MAX_VALUE_LENGTH}})(?<![.,;:?)\\]}*])`
const filler = "(?:[ \\t]{1,2}(?!is |was |are )[\\w@'./()-]{1,24}){0,5}"

/** Secrets that are recognizable only by the name before them. */
export const contextRules: readonly RedactionRule[] = [
  defineRule(
    'url_parameter',
    ['?', '&'],
    `[?&;](?<left>[\\w.%-]{0,30}?)${credentialWord}${tail}=${inQuery}`,
    ({ secret, group }) => isNamedSecret(group('left'), group, (kind) => isValueOf(kind, decode(secret))),
    'i',
  ),
  defineRule(
    'assigned',
    credentialLiterals,
    `(?<![?&])${credentialWord}${tail}(?:${closing}${gap}${typeAfter}${type}(?:${valueKey}${gap}|${sign}${gap}${nextLine})|${xml})(?:${quoted}|${bare})`,
    isAssigned,
    'i',
  ),
  defineRule(
    'argument',
    credentialLiterals,
    `(?<![\\w-])--?(?<left>[\\w.-]{0,40}?)${credentialWord}${tail}(?:[ \\t]{1,4}|=)(?:${quoted}|${bare})`,
    ({ secret, group }) => isNamedSecret(group('left'), group, (kind) => isValueOf(kind, secret)),
    'i',
  ),
  defineRule(
    'spoken',
    credentialLiterals,
    `${credentialWord}${tail}${closing}(?:${filler}[ \\t]{0,2}(?:[ \\t](?:is|was|=|to)(?:[ \\t](?:now|still|currently|set to|always|just))?|:|=)[ \\t]{1,3}|[ \\t]{1,3})${spokenQuote}${spoken}`,
    isSpoken,
    'i',
  ),
  defineRule(
    'told_after',
    ['token', 'secret', 'passw', 'key', 'credential'],
    `(?<![\\w/.+=-])(?<secret>[A-Za-z0-9_~.+/=-]{16,400})["'\`)]{0,2}[ \\t](?:is|was|as|are)[ \\t](?:(?:the|our|a|an|my|their|its|your)[ \\t])(?:[\\w.-]{1,24}[ \\t]){0,3}?(?<word>password|token|secret|passphrase|api key|access key|secret key|private key|signing key|credential)\\b`,
    ({ secret }) => isMachineGenerated(secret, 16) && /[0-9]/.test(secret),
    'i',
  ),
]

function isNamedSecret(
  before: string,
  group: SecretMatch['group'],
  decide: (kind: NameKind) => boolean,
): boolean {
  const kind = classifyName(before, group('word'), group('tail'))
  return kind !== null && decide(kind)
}

function isAssigned({ secret, before, group }: SecretMatch): boolean {
  if (!couldBeSecret(secret)) return false
  // URL parameters end at the next &: the rule url_parameter handles them.
  if (/[?&][\w.%-]{0,40}$/.test(before)) return false
  return isNamedSecret(before, group, (kind) => isValueOf(kind, secret))
}

function isValueOf(kind: NameKind, written: string): boolean {
  const value = written.replace(/^["'`]/, '')
  switch (kind) {
    case 'password':
      return isPassword(value)
    case 'token':
      return isSecret(value)
    case 'key':
      return isMachineGenerated(value, 16)
  }
}

function isSpoken({ secret, before, group }: SecretMatch): boolean {
  if (countClasses(secret) < 2 || isPlural(group('word'))) return false
  return isNamedSecret(before, group, (kind) =>
    kind === 'password' ? isSpokenPassword(secret) : isMachineGenerated(secret, 12),
  )
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
