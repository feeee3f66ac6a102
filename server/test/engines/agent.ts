import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** A real MCP client, for the revisions that begin with `initialize` or for the newest. */
export async function connectAgent(
  base: string,
  key: string,
  revision: 'older' | 'newest' = 'older',
): Promise<Client> {
  const mode = revision === 'older' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { 'x-service-api-key': key } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit }))
  return client
}
