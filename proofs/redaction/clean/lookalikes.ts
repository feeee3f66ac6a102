import { hash } from 'node:crypto'
import { base64Of } from '../encode.ts'
import type { Random } from '../random.ts'

/** Digests of what is public: a name with a number, as good as any file. */
export function digest(random: Random, algorithm: 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512'): string {
  return hash(algorithm, `artefact-${random.hex(12)}`, 'hex')
}

export function digest64(random: Random, algorithm: 'sha1' | 'sha256' | 'sha384' | 'sha512'): string {
  return Buffer.from(digest(random, algorithm), 'hex').toString('base64')
}

export const commit = (random: Random) => digest(random, 'sha1')
export const shortCommit = (random: Random) => commit(random).slice(0, random.between(7, 12))

export function ulid(random: Random): string {
  return `01J${random.chars('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 23)}`
}

export function objectId(random: Random): string {
  return `66${random.hex(22)}`
}

const imageStarts = {
  'image/png': 'iVBORw0KGgoAAAANSUhEUgAAA',
  'image/gif': 'R0lGODlhAQABAIAAAAAAAP',
  'image/jpeg': '/9j/4AAQSkZJRgABAQ',
  'image/webp': 'UklGRlAAAABXRUJQVlA4',
  'font/woff2': 'd09GMgABAAAAA',
  'image/svg+xml': 'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciI',
} as const

export function dataUrl(random: Random): string {
  const types = Object.keys(imageStarts) as (keyof typeof imageStarts)[]
  const type = random.pick(types)
  const start = imageStarts[type]
  const length = 4 * random.between(20, 130)
  return `data:${type};base64,${start}${random.base64(length - start.length - 1)}=`
}

export function sshPublicKey(random: Random): string {
  if (random.below(2) === 0) return `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random.base64(43)}`
  return `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ${random.base64(340)}`
}

/** With check digits that hold (ISO 7064). */
export function iban(random: Random): string {
  const account = random.digits(18)
  const check = 98n - (BigInt(`${account}131400`) % 97n) // D is 13, E is 14
  return `DE${String(check).padStart(2, '0')}${account}`.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

export function phone(random: Random): string {
  return random.pick([
    `+49 30 ${random.digits(4)} ${random.digits(4)}`,
    `+1 (555) 01${random.digits(1)}-${random.digits(4)}`,
    `+44 20 7946 0${random.digits(3)}`,
    `0${random.digits(3)}/${random.digits(7)}`,
  ])
}

export function address(random: Random): string {
  const octet = () => random.between(1, 254)
  return random.pick([
    `10.${octet()}.${octet()}.${octet()}`,
    `192.168.${octet()}.${octet()}/24`,
    `2001:db8:${random.hex(4)}:${random.hex(4)}::${random.hex(3)}`,
    `fe80::${random.hex(4)}:${random.hex(4)}:${random.hex(4)}:${random.hex(4)}`,
  ])
}

export function hardwareAddress(random: Random): string {
  return Array.from({ length: 6 }, () => random.hex(2)).join(':')
}

export function podName(random: Random, name: string): string {
  return `${name}-${random.chars('bcdfghjklmnpqrstvwxz2456789', 10)}-${random.chars('bcdfghjklmnpqrstvwxz2456789', 5)}`
}

/** An opaque place in a list: base64 of what anybody may know. */
export function cursor(random: Random): string {
  return base64Of(JSON.stringify({ after: random.below(1_000_000), day: random.digits(6) }))
}

export function cron(random: Random): string {
  return random.pick([
    `${random.below(60)} ${random.below(24)} * * *`,
    `*/${random.between(2, 30)} * * * *`,
    `${random.below(60)} ${random.below(24)} 1,15 * ${random.below(7)}`,
    `0 ${random.below(24)} * * MON-FRI`,
  ])
}
