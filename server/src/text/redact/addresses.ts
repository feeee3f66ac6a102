import { isUuid } from '../../ids.ts'
import { countClasses, isHex, isRandom } from './randomness.ts'
import { base64Url, defineRule, type RedactionRule, type SecretMatch } from './rule.ts'
import { isMachineGenerated, isPlaceholder, isSecret } from './value.ts'

const shownWords = /^(?:user(?:name)?|pass(?:word|wd)?|pwd|pw|secret|token|key|[x*.]{1,20})$/i
const hookParts = ['hook', 'trigger', 'ifttt', 'zapier', 'logic.azure']

/** URLs that contain or are a credential. */
export const addressRules: readonly RedactionRule[] = [
  defineRule(
    'url_password',
    ['://'],
    String.raw`:\/\/[^\s:/?#@"'<>${'`'}\\]{0,120}:(?<secret>[^\s/?@"'<>${'`'}\\]{1,200})@(?=[\w.[-])`,
    isUrlPassword,
  ),
  defineRule(
    'url_password',
    ['://'],
    String.raw`:\/\/(?<secret>[A-Za-z0-9_~-]{16,200})(?:@(?=[\w.-])|:(?![0-9/]))`,
    ({ secret }) => isMachineGenerated(secret, 16),
  ),
  // Oracle's JDBC URLs have user/password@ without //.
  defineRule(
    'url_password',
    ['jdbc:oracle'],
    String.raw`jdbc:oracle:\w{1,10}:[\w.-]{1,60}/(?<secret>[^\s@/"'<>]{4,100})@`,
    ({ secret }) => !isPlaceholder(secret),
    'i',
  ),
  defineRule(
    'webhook_url',
    hookParts,
    `https?://(?:(?!://)[^\\s"'<>]){0,200}?(?:hook|trigger|ifttt|zapier)(?:(?!://)[^\\s"'<>]){0,160}?[/@](?<secret>(?=[0-9_-]{0,30}[A-Za-z])[A-Za-z0-9_-]{16,200}(?:[/@?](?:(?!://)[^\\s"'<>()]){0,300})?)(?<![.,;:])`,
    ({ secret }) => secret.split(/[/@?&=]/).some(isHookPart),
    'i',
  ),
  defineRule(
    'webhook_url',
    ['hooks.zapier.com'],
    'hooks\\.zapier\\.com/hooks/catch/[0-9]{4,12}/(?<secret>[a-z0-9]{5,20})',
  ),
  defineRule('webhook_url', ['/private-'], '/private-(?<secret>[0-9a-f]{16,64})/'),
  defineRule(
    'url_password',
    ['@tcp(', '@unix(', ':1521'],
    String.raw`(?<![\w.-])[\w.-]{1,60}[:/](?<secret>[^\s:/@"'<>]{4,100})@(?:tcp\(|unix\(|(?:\/\/)?[\w.-]{1,100}:1521)`,
    ({ secret }) => !isPlaceholder(secret) && !shownWords.test(secret),
  ),
  defineRule(
    'signed_url',
    ['sig', 'x-amz', 'x-goog', 'key-pair-id'],
    String.raw`[?&;](?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token))=(?<secret>[A-Za-z0-9%._~/+=-]{16,3000})`,
    ({ secret }) => isSecret(secret.replaceAll('%', ''), 16),
    'i',
  ),
  defineRule(
    'totp_seed',
    ['otpauth'],
    String.raw`otpauth://[^\s"'<>]{1,200}?[?&]secret=(?<secret>[A-Za-z2-7]{8,200}={0,6})`,
    undefined,
    'i',
  ),
  defineRule('telegram_token', ['/bot'], `/bot(?<secret>[0-9]{6,12}:${base64Url}{30,40})`),
  // host:port:database:user:password, as in a .pgpass file
  defineRule(
    'pgpass_password',
    [':'],
    String.raw`(?:(?<![\w.*:-])[\w-]{1,60}\.[\w.-]{1,100}|(?<![*:])\*|localhost):(?:[0-9]{2,5}|\*):(?:[\w-]{1,60}|\*):(?:[\w.-]{1,60}|\*):(?<secret>[^\s:"'<>]{6,100})(?<![.,;)\]}])`,
    ({ secret }) => isSecret(secret, 6) && !isPlaceholder(secret),
  ),
]

function isUrlPassword({ secret }: SecretMatch): boolean {
  return !isPlaceholder(secret) && !shownWords.test(secret) && !/^[{$%][{(]?\w{0,40}[})]{0,2}%?$/.test(secret)
}

function isHookPart(part: string): boolean {
  if (part.length < 16) return false
  if (isUuid(part) || isHex(part, 24)) return true
  return isRandom(part) && (countClasses(part) >= 2 || part.length >= 20)
}
