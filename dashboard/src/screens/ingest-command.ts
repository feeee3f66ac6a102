import { serviceUrl } from '../base.ts'

/** Sends events with the ingest credential in a variable of the shell. */
export function renderIngestCommand(events: readonly object[]): string {
  return `curl -X POST '${new URL('ingest/v1/events', serviceUrl).href}' \\
  -H "x-service-api-key: $SCHOLIAST_INGEST_KEY" -H 'content-type: application/json' \\
  --data '${JSON.stringify(events)}'`
}
