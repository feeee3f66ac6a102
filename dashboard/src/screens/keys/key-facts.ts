import type { Get } from '@scholiast/sdk'
import { daysUntil, formatDate, formatDaysFromNow } from '../../ui/format.ts'

export type Key = Get<'/v1/keys'>['data'][number]

/** A value that was just made, for the one dialog that shows it. */
export interface NewValue {
  readonly key: Key
  readonly value: string | undefined
  /** When the key that it replaces stops working. */
  readonly replacedUntil?: string
}

export const SOON_DAYS = 14
export const UNUSED_DAYS = 90

/** Keys that expire first come first; keys that never expire come last, in the order of creation. */
export function sortByExpiry(keys: readonly Key[]): readonly Key[] {
  const time = ({ expires_at }: Key) => (expires_at === null ? Number.MAX_VALUE : Date.parse(expires_at))
  return keys.toSorted((a, b) => time(a) - time(b))
}

export function expiresSoon({ expires_at }: Key): boolean {
  return expires_at !== null && daysUntil(expires_at) <= SOON_DAYS
}

/** A key that is younger than that cannot have been idle for so long. */
export function isUnused({ created_at, last_used_at }: Key): boolean {
  return -daysUntil(last_used_at ?? created_at) >= UNUSED_DAYS
}

export function describeValue({ prefix, last_four }: Key): string {
  return `${prefix}…${last_four}`
}

export function describeExpiry(expires_at: string | null): string {
  return expires_at === null ? 'never' : `${formatDate(expires_at)} (${formatDaysFromNow(expires_at)})`
}

export function describeLastUse({ last_used_at }: Key): string {
  return last_used_at === null ? 'never' : formatDaysFromNow(last_used_at)
}
