import type { EventKind } from '../../bus/ingest-event.ts'
import type { PublicPage } from '../../http/server.ts'
import { toEventSchema } from './schema.ts'

/** All events as JSON Schema, with one definition per type and version. */
export function describeEvents(kinds: readonly EventKind[]) {
  const shapes = kinds.map((kind) => [`${kind.type}.v${kind.version}`, toEventSchema(kind)] as const)
  const described = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of POST /ingest/v1/events',
    description: 'One event. A change that is incompatible for senders gets a new version.',
    oneOf: shapes.map(([name]) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(shapes),
  }
  // Removes the symbols that TypeBox adds to a schema.
  return JSON.parse(JSON.stringify(described)) as typeof described
}

export function eventSchemasPage(kinds: readonly EventKind[]): PublicPage {
  const body = { text: JSON.stringify(describeEvents(kinds)), type: 'application/schema+json; charset=utf-8' }
  return {
    path: '/events.schema.json',
    run: () => ({ status: 200, headers: { 'x-content-type-options': 'nosniff' }, body }),
  }
}
