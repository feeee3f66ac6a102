import type { IngestCredential } from '../../access/ingest-credential.ts'

const MAX_MESSAGE_BYTES = 512 * 1024

/** Packs events into messages of at most 512 KiB; a larger event gets its own message. */
export function packMessages(credential: IngestCredential, events: readonly string[]): string[] {
  const { root, id, organizations } = credential
  const head = `{"root":"${root}","credential":"${id}","organizations":${JSON.stringify(organizations)},"events":[`
  const messages: string[] = []
  let from = 0
  let bytes = 0
  for (const [index, event] of events.entries()) {
    const size = Buffer.byteLength(event) + 1
    if (bytes + size > MAX_MESSAGE_BYTES && index > from) {
      messages.push(`${head}${events.slice(from, index).join(',')}]}`)
      from = index
      bytes = 0
    }
    bytes += size
  }
  if (from < events.length) messages.push(`${head}${events.slice(from).join(',')}]}`)
  return messages
}
