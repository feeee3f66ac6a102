import { type TSchema, Type } from 'typebox'
import { getCloudHost } from '../../access/provider-host.ts'
import { cleanName } from '../../names.ts'
import { nullable } from '../../shape.ts'

// Schemas that several event kinds share.

/**
 * Control characters separate the values when rows are written, so none are allowed. Lone surrogates are not allowed
 * because PostgreSQL would treat different ones as the same character.
 */
export function singleLineText(maxLength: number, description?: string) {
  return Type.String({
    pattern: `^[^\\p{Cc}\\p{Cs}]{1,${maxLength}}$`,
    maxLength,
    ...(description === undefined ? {} : { description }),
  })
}

export function optionalNullable<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(nullable(schema))
}

export const ProviderId = singleLineText(200)
/** A name that people read: `normalizeName` cleans it. */
export const OptionalName = optionalNullable(Type.String({ minLength: 1, maxLength: 255 }))
export const OptionalTime = optionalNullable(Type.String({ format: 'date-time' }))
export const PullRequestNumber = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const organizationFields = {
  provider: singleLineText(50),
  host: Type.Optional(singleLineText(255, 'Host of the Git provider. Default: the cloud of the provider.')),
  id: ProviderId,
}

export interface OrganizationRef {
  readonly provider: string
  readonly host: string
  readonly id: string
}

export function normalizeOrganization(given: {
  provider: string
  host?: string
  id: string
}): OrganizationRef {
  const { provider, id } = given
  return { provider, host: given.host ?? getCloudHost(provider), id }
}

/** null if nothing of it can be shown. */
export function normalizeName(given: string | null | undefined): string | null {
  return cleanName(given ?? '') || null
}

/** Converts to UTC with milliseconds. */
export function normalizeTime(given: string | null | undefined): string | null {
  return given === null || given === undefined ? null : new Date(given).toISOString()
}
