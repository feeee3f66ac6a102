import type { components } from './openapi.ts'

type Schemas = components['schemas']

/** An event of one of the kinds in `/events.schema.json`. */
export type IngestEvent = {
  [Name in keyof Schemas]: Schemas[Name] extends { id: string; type: string; payload: object }
    ? Schemas[Name]
    : never
}[keyof Schemas]
