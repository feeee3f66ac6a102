import type { Random } from './random.ts'

const users = [
  'svc_billing',
  'deploy',
  'app',
  'root',
  'reporting',
  'etl',
  'admin',
  'ci-bot',
  'katrin',
  'mbauer',
]
const domains = ['example.com', 'example.net', 'internal.example.org', 'corp.example', 'acme-test.dev']
const services = ['billing', 'orders', 'search', 'ledger', 'mailer', 'gateway', 'catalog', 'reports', 'auth']
const animals = ['Falke', 'Otter', 'Wombat', 'Heron', 'Marmot', 'Gecko', 'Puffin', 'Lynx', 'Tapir', 'Ibis']
const things = ['Kettle', 'Ladder', 'Anchor', 'Lantern', 'Pebble', 'Saddle', 'Trumpet', 'Walnut', 'Zipper']

export function userName(random: Random): string {
  return random.pick(users)
}

export function serviceName(random: Random): string {
  return random.pick(services)
}

export function domainName(random: Random): string {
  return random.pick(domains)
}

export function hostName(random: Random): string {
  return `${serviceName(random)}-${random.pick(['db', 'mq', 'cache', 'api'])}.${domainName(random)}`
}

export function mailAddress(random: Random): string {
  return `${userName(random).replace('_', '.')}@${domainName(random)}`
}

/** As a generator makes it, or as a person thinks it up. */
export function password(random: Random): string {
  const made = [
    () => random.base62(random.between(12, 24)),
    () => `${random.base62(7)}!${random.base62(5)}#${random.base62(4)}`,
    () => `${random.pick(animals)}${random.pick(['.', '-', '_'])}${random.pick(things)}${random.digits(3)}!`,
    () => `${random.pick(things)}@${random.digits(4)}${random.pick(animals)}`,
    () => `${random.lower(6)}-${random.lower(6)}-${random.lower(6)}`,
  ]
  return random.pick(made)()
}

/** One that needs no escape in a URL, or has it. */
export function urlPassword(random: Random): string {
  return encodeURIComponent(password(random)).replaceAll('!', '%21')
}
