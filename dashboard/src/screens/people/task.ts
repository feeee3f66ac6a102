import type { Person } from './people-query.ts'

/** What the dialog is open for. */
export type PeopleTask =
  | { readonly kind: 'person'; readonly person: Person }
  | { readonly kind: 'offboard'; readonly person: Person }
  | { readonly kind: 'role'; readonly people: readonly Person[] }
  | { readonly kind: 'release'; readonly people: readonly Person[] }
  | { readonly kind: 'idle' }
  | { readonly kind: 'mode'; readonly mode: 'automatic' | 'manual' }
