import type { Reply } from '../../../http/reply.ts'

const NDJSON_TYPE = 'application/x-ndjson; charset=utf-8'

/** Reads the first bytes, so that an error is raised before the response starts. */
export async function linesReply(lines: AsyncGenerator<Buffer, void>): Promise<Reply> {
  const first = await lines.next()
  const stream = (async function* () {
    if (first.value !== undefined) yield first.value
    yield* lines
  })()
  return { status: 200, body: { stream, type: NDJSON_TYPE } }
}
