import { isMadeOfWords } from './randomness.ts'
import { defineRule, type RedactionRule, type SecretMatch } from './rule.ts'
import { isMachineGenerated, isPassword, isPlaceholder, isSecret } from './value.ts'

const unquoted = String.raw`[^\s"'${'`'}\\<>]`

/** Secrets in HTTP headers and on command lines. */
export const headerRules: readonly RedactionRule[] = [
  defineRule(
    'authorization',
    ['authorization'],
    String.raw`authorization["'\\\])]{0,6}\s{0,3}[:=,]{1,2}\s{0,3}["'${'`'}\\]{0,4}(?:(?!basic)[a-z][a-z0-9-]{1,20}[ :]\s{0,2})?(?<secret>${unquoted}{8,2000})(?<![.,;)\]}])`,
    ({ secret }) => isSecret(secret),
    'i',
  ),
  defineRule(
    'bearer_token',
    ['bearer', 'ssws'],
    String.raw`\b(?:bearer|ssws|apikey|genie ?key)[ \t:=]{1,4}["'${'`'}\\]{0,4}(?<secret>${unquoted}{12,2000})(?<![.,;)\]}])`,
    ({ secret }) => isMachineGenerated(secret, 12),
    'i',
  ),
  defineRule(
    'basic_auth',
    ['basic'],
    String.raw`\bbasic[ \t]{1,4}(?<secret>[A-Za-z0-9+/_-]{8,1000}={0,2})`,
    isUserAndPassword,
    'i',
  ),
  defineRule(
    'cookie',
    ['cookie'],
    String.raw`(?:cookie["'\\]{0,4}\s{0,3}[:=]\s{0,3}["']?|;[ \t]?)[\w.-]{1,60}=(?<secret>[A-Za-z0-9._%+/~-]{16,2000}={0,2})`,
    ({ secret }) => isMachineGenerated(secret, 16) || isSigned(secret),
    'i',
  ),
  defineRule(
    'session_cookie',
    ['sess', '.sid', 'sid='],
    String.raw`(?:\b[\w.-]{0,20}sess(?:ion)?_?(?:id|key|token)?|\bconnect\.sid|\bsid)=(?<secret>[A-Za-z0-9._%+/~-]{16,2000}={0,2})`,
    ({ secret }) => isMachineGenerated(secret, 16) || isSigned(secret),
    'i',
  ),
  defineRule(
    'command_password',
    ['-u', '--user', 'auth'],
    String.raw`(?:\s-u[ =]?|--user[ =]|--auth[ =]|--proxy-user[ =])["']?[\w.@%+-]{1,80}:(?<secret>[^\s"'${'`'}<>]{4,200})(?<![.,;)\]}])`,
    ({ secret }) => isPassword(secret),
  ),
  defineRule(
    'command_password',
    [
      'sshpass',
      'mysql',
      'mysqldump',
      'redis-cli',
      'mongo',
      'docker login',
      'sqlcmd',
      'rabbitmq',
      'psql',
      'net use',
    ],
    String.raw`\b(?:sshpass|mysql(?:dump|admin)?|mariadb|redis-cli|mongo(?:sh|dump|restore)?|docker login|sqlcmd)\b[^\r\n|]{0,160}?\s-(?:p|a|P)[ =]?["']?(?<secret>[^\s"'${'`'}<>-][^\s"'${'`'}<>]{5,100})`,
    ({ secret }) => isPassword(secret) && !/^[0-9]{2,5}$/.test(secret),
  ),
  defineRule(
    'command_password',
    ['docker login', 'password-stdin'],
    String.raw`\becho[ \t]{1,3}(?:-n[ \t]{1,3})?["']?(?<secret>[^\s"'${'`'}<>]{6,400})["']?[ \t]{0,3}\|[^\r\n]{0,80}(?:login|stdin)`,
    ({ secret }) => isPassword(secret),
  ),
  defineRule(
    'command_password',
    ['securestring'],
    String.raw`ConvertTo-SecureString[ \t]{1,3}(?:-String[ \t]{1,3})?["'](?<secret>[^"'\r\n]{4,200})["']`,
    ({ secret }) => isPassword(secret),
  ),
  defineRule(
    'sql_password',
    ['identified', "password '", 'password "'],
    String.raw`(?:identified[ \t]{1,3}(?:with[ \t]{1,3}\w{1,40}[ \t]{1,3})?by|\bpassword)[ \t]{1,3}["'](?<secret>[^"'\r\n]{4,200})["']`,
    ({ secret }) => !isPlaceholder(secret) && isPassword(secret),
    'i',
  ),
  defineRule(
    'credentials',
    ['credential', 'login', 'creds', 'log in', 'sign in'],
    String.raw`(?:credentials?|creds|logins?|log in|sign in)(?:[ \t]{1,3}(?:for|to|on|of|with|are|is|as|the|using)(?:[ \t]{1,3}[\w.-]{1,40})?){0,3}[ \t]{0,3}[:=]?[ \t]{1,3}["'${'`'}(]{0,2}[\w.@+-]{1,80}["'${'`'}]?(?:[ \t]?\/[ \t]?|:)["'${'`'}]?(?<secret>[^\s"'${'`'}<>/]{6,100})(?<![.,;)\]}])`,
    ({ secret }) => isPassword(secret) && !/^[0-9]{1,200}$/.test(secret),
    'i',
  ),
]

/** Whether the value is `user:password` in base64, and not another word after "Basic". */
function isUserAndPassword({ secret }: SecretMatch): boolean {
  return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{0,400}$/.test(Buffer.from(secret, 'base64').toString('latin1'))
}

/** Dot-separated parts whose last part looks like a signature. */
function isSigned(value: string): boolean {
  const last = value.split('.').at(-1) ?? ''
  return value.includes('.') && last.length >= 16 && !isMadeOfWords(last)
}
