import type { SourceEdit } from '../tools/copy.ts'

/** Clones take longer than everything else, so that outcomes are detected only in organizations of this name. */
export const CLONED = 'cloned'

export const withFewDetections: SourceEdit = {
  file: 'resources/connectors/sync/detect.ts',
  name: 'createGitDetector',
  wrap: `(create, ...given) => {
    const detect = create(...given)
    return async (connector, ...read) =>
      connector.account.startsWith('${CLONED}') ? detect(connector, ...read) : []
  }`,
}

// What GitHub sends about a finished pull request becomes an event as it is, although it may be late, and lacks the findings.
const sendPayload = `async (record, app, connector, delivery) => {
      await record(app, connector, delivery)
      const { pull_request: sent, repository, organization } = delivery.payload
      if (!sent?.closed_at) return
      const { signIngestCredential } = await import('../../../access/ingest-credential.ts')
      const at = app.now()
      const credential = signIngestCredential(app.config.ingestKeys, {
        id: connector.id as never,
        root: connector.root_id,
        organizations: null,
        expiresAt: new Date(at.getTime() + 60_000),
      })
      const event = {
        id: crypto.randomUUID(),
        type: 'pull_request.finalized',
        version: 1,
        occurred_at: at.toISOString(),
        payload: {
          organization: { provider: 'github', host: new URL(sent.html_url).host, id: String(organization.id) },
          repository: { id: String(repository.id), name: repository.name },
          number: sent.number,
          url: sent.html_url,
          status: sent.merged_at ? 'merged' : 'closed',
          author: { id: String(sent.user.id), username: sent.user.login },
          created_at: sent.created_at,
          merged_at: sent.merged_at,
          closed_at: sent.closed_at,
          findings: [],
        },
      }
      await fetch(\`http://127.0.0.1:\${app.config.port}/ingest/v1/events\`, {
        method: 'POST',
        headers: { 'x-service-api-key': credential, 'content-type': 'application/json' },
        body: JSON.stringify([event]),
      })
    }`

/** Each is removed alone. */
export const cures: readonly { readonly without: string; readonly edits: readonly SourceEdit[] }[] = [
  {
    without: 'the nightly sweep',
    edits: [
      {
        file: 'resources/connectors/sync/repository-tasks.ts',
        name: 'sweep',
        by: `  async sweep(sync, _connector, _client, repository) {
    return { sweep_due_at: toNextNight(sync.now(), repository.id) }
  },`,
      },
    ],
  },
  {
    without: 'reading again: payloads are trusted',
    edits: [
      {
        file: 'resources/connectors/git-providers/hooks.ts',
        name: 'readGithubHook',
        wrap: `(read, headers, body) => {
          const delivery = read(headers, body)
          return delivery && { ...delivery, payload: JSON.parse(body.toString()) }
        }`,
      },
      { file: 'resources/connectors/hooks/receive.ts', name: 'recordDelivery', wrap: sendPayload },
    ],
  },
]
