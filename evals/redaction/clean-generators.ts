// Fields and generators of the clean lines: names that a review mentions, and values that look like a secret but are none.
import { hash } from 'node:crypto'
import type { Random } from '../../proofs/tools/random.ts'
import { toInteger, type WordLists } from './generators.ts'
import type { Fields, Generators } from './pattern.ts'

export const cleanFields = [
  'rule',
  'reason',
  'module',
  'person',
  'mailbox',
  'team',
  'teamSlug',
  'library',
  'locale',
  'name',
  'type',
  'typeLength',
  'snake',
  'constant',
  'kebab',
  'file',
  'version',
  'number',
  'endLine',
  'day',
] as const

export function createCleanFields(
  random: Random,
  words: WordLists,
): Fields & Record<(typeof cleanFields)[number], string | number> {
  const pick = (list: string) => random.pick(words(list))
  const type = pick('qualifiers') + pick('nouns')
  const kebab = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
  const module = pick('modules')
  const reason = pick('reasons')
  const rule = `${pick('openings')} ${pick('objects')} ${pick('contexts')}, ${reason}.`
  const [person, team, library, locale] = [pick('people'), pick('teams'), pick('libraries'), pick('locales')]
  const name = pick('verbs') + type
  const file = `src/${module}/${kebab}.${pick('extensions')}`
  const version = `${random.below(20)}.${random.below(40)}.${random.below(60)}`
  const number = random.between(2, 9000)
  return {
    rule,
    reason,
    module,
    person,
    mailbox: person
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/[^a-z]/g, ''),
    team,
    teamSlug: team.replaceAll(' ', '-'),
    library,
    locale,
    name,
    type,
    typeLength: type.length,
    snake: kebab.replaceAll('-', '_'),
    constant: kebab.replaceAll('-', '_').toUpperCase(),
    kebab,
    file,
    version,
    number,
    endLine: number + 12,
    day: `2026-${twoDigits(random.between(1, 12))}-${twoDigits(random.between(1, 28))}`,
  }
}

export const cleanGenerators: Generators = {
  digest: (random, algorithm = '') => digest(random, algorithm).toString('hex'),
  'digest-base64': (random, algorithm = '') => digest(random, algorithm).toString('base64'),
  'short-commit': (random) => digest(random, 'sha1').toString('hex').slice(0, random.between(7, 12)),
  /** Groups of four characters. */
  'base64-groups': (random, min, max) => random.base64(4 * random.between(toInteger(min), toInteger(max))),
  'data-url': createDataUrl,
  'ssh-public-key': createSshPublicKey,
  iban: createIban,
  phone: createPhoneNumber,
  'ip-address': createIpAddress,
  cron: createCronSchedule,
}

function digest(random: Random, algorithm: string): Buffer {
  return hash(algorithm, `artefact-${random.hex(12)}`, 'buffer')
}

/** The base64 that every file of the type starts with. */
const fileStarts: readonly (readonly [type: string, start: string])[] = [
  ['image/png', 'iVBORw0KGgoAAAANSUhEUgAAA'],
  ['image/gif', 'R0lGODlhAQABAIAAAAAAAP'],
  ['image/jpeg', '/9j/4AAQSkZJRgABAQ'],
  ['image/webp', 'UklGRlAAAABXRUJQVlA4'],
  ['font/woff2', 'd09GMgABAAAAA'],
  ['image/svg+xml', 'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciI'],
]

function createDataUrl(random: Random): string {
  const [type, start] = random.pick(fileStarts)
  const length = 4 * random.between(20, 130)
  return `data:${type};base64,${start}${random.base64(length - start.length - 1)}=`
}

function createSshPublicKey(random: Random): string {
  if (random.below(2) === 0) return `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random.base64(43)}`
  return `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ${random.base64(340)}`
}

/** With valid check digits (ISO 7064). */
function createIban(random: Random): string {
  const account = random.digits(18)
  const check = 98n - (BigInt(`${account}131400`) % 97n) // D is 13, E is 14
  return `DE${String(check).padStart(2, '0')}${account}`.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

function createPhoneNumber(random: Random): string {
  return random.pick([
    `+49 30 ${random.digits(4)} ${random.digits(4)}`,
    `+1 (555) 01${random.digits(1)}-${random.digits(4)}`,
    `+44 20 7946 0${random.digits(3)}`,
    `0${random.digits(3)}/${random.digits(7)}`,
  ])
}

function createIpAddress(random: Random): string {
  const octet = () => random.between(1, 254)
  return random.pick([
    `10.${octet()}.${octet()}.${octet()}`,
    `192.168.${octet()}.${octet()}/24`,
    `2001:db8:${random.hex(4)}:${random.hex(4)}::${random.hex(3)}`,
    `fe80::${random.hex(4)}:${random.hex(4)}:${random.hex(4)}:${random.hex(4)}`,
  ])
}

function createCronSchedule(random: Random): string {
  return random.pick([
    `${random.below(60)} ${random.below(24)} * * *`,
    `*/${random.between(2, 30)} * * * *`,
    `${random.below(60)} ${random.below(24)} 1,15 * ${random.below(7)}`,
    `0 ${random.below(24)} * * MON-FRI`,
  ])
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
