import { auditChange, toChange } from '../../access/change-context.ts'
import { getCloudHost } from '../../access/provider-host.ts'
import type { SelectedScope } from '../../access/scope.ts'
import { refuse } from '../../errors.ts'
import type { AppContext } from '../../http/app-context.ts'
import { type RequestContext, requireOrganization } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { type ConnectorId, NIL_UUID, newId } from '../../ids.ts'
import type { ConnectorHosts } from '../../settings/connector-hosts.ts'
import type { NewConnectorBody, OwnBot } from './schema.ts'
import { sealSecret } from './secrets.ts'
import {
  type ConnectorRow,
  deleteConnector,
  insertConnector,
  type NewConnector,
  readConnectedOrganization,
  readConnector,
  readConnectors,
} from './sql.ts'

const MAX_CONNECTORS = 100

interface PathParams {
  readonly params: { readonly connector_id: string }
}

export async function listConnectors(context: RequestContext): Promise<Reply> {
  const { scope, tx, page, now } = context
  const after = page.after === null ? NIL_UUID : String(page.after[0])
  const limit = page.limit + 1
  const found = await readConnectors(scope, tx, requireOrganization(context), { after, limit, at: now() })
  const rows = found.slice(0, page.limit)
  const last = found.length > page.limit ? rows.at(-1) : undefined
  return ok({ data: rows.map(renderConnector), next_cursor: last ? page.cursorAfter(last.id) : null })
}

/** Accounts of an enterprise have an underscore, and old ones a hyphen at the end. */
const githubLogin = /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/

/** Checks what the schema cannot express. */
export function refuseInvalidConnector({ body }: { readonly body: NewConnectorBody }): void {
  const { provider, mode, account, credential, webhook_secret, write_back, bots = [] } = body
  if ('token' in credential !== (provider === 'gitlab')) {
    const expected = provider === 'gitlab' ? 'token' : 'app_id, installation_id and private_key'
    refuse('INVALID_REQUEST', `The credential of a ${provider} connector must have ${expected}.`)
  }
  if (provider === 'github' && !githubLogin.test(account))
    refuse('INVALID_REQUEST', 'account must be a login of GitHub: at most 39 letters, digits and hyphens.')
  if (mode === 'hooks' && webhook_secret === undefined)
    refuse('INVALID_REQUEST', 'webhook_secret is required with the mode hooks.')
  if (mode === 'polling' && webhook_secret !== undefined)
    refuse('INVALID_REQUEST', 'webhook_secret is only for the mode hooks. Omit it.')
  if (provider === 'gitlab' && write_back === true)
    refuse('INVALID_REQUEST', 'write_back is only for GitHub. Connectors of GitLab can only read: omit it.')
  if (new Set(bots.map(({ account_id }) => account_id)).size < bots.length)
    refuse('INVALID_REQUEST', 'bots has two entries with the same account_id. Keep one of them.')
}

type PreparedConnector = Omit<NewConnector, 'created_by'>

/** Encrypts the secrets, so that the handler and everything after it has them only encrypted. */
export async function prepareConnector(
  { config: { connectorKeys, connectorHosts } }: AppContext,
  { body }: { readonly body: NewConnectorBody },
  { scope: { root } }: SelectedScope,
): Promise<PreparedConnector> {
  if (connectorKeys.length === 0)
    refuse('INVALID_REQUEST', 'Connectors are not set up. The operator must set CONNECTOR_KEYS.')
  const { provider, mode, account, credential, webhook_secret } = body
  const { write_back = false, bots = [] } = body
  const host = body.host?.toLowerCase() ?? getCloudHost(provider)
  refuseUnlistedHost(connectorHosts, host)
  const connector = newId<ConnectorId>()
  const sealed = sealSecret(
    connectorKeys,
    { root, connector, name: 'credential' },
    JSON.stringify(credential),
  )
  const hookSecret =
    webhook_secret === undefined
      ? null
      : sealSecret(connectorKeys, { root, connector, name: 'hook_secret' }, webhook_secret).bytes
  return {
    id: connector,
    provider,
    host,
    mode,
    account,
    write_back,
    bots,
    external_account_id: 'installation_id' in credential ? credential.installation_id : null,
    credential: sealed.bytes,
    hook_secret: hookSecret,
    key_id: sealed.keyId,
  }
}

function refuseUnlistedHost(hosts: ConnectorHosts, host: string): void {
  if (hosts.has(`https://${host}`) || hosts.has(`http://${host}`)) return
  refuse(
    'INVALID_REQUEST',
    `Connectors may not read from ${host}. The operator can add it to CONNECTOR_HOSTS.`,
  )
}

export async function createConnector(context: RequestContext<PreparedConnector>): Promise<Reply> {
  const { prepared, principal } = context
  const change = toChange(context)
  const { scope, tx, at } = change
  const organization = requireOrganization(context)
  const { provider, host, connectors } = await readConnectedOrganization(scope, tx, organization)
  if (provider !== prepared.provider || host !== prepared.host)
    refuse(
      'INVALID_REQUEST',
      `The organization is at ${provider} on ${host}, so its connector must be of that provider and host.`,
    )
  if (connectors >= MAX_CONNECTORS)
    refuse('INVALID_REQUEST', `The organization has ${MAX_CONNECTORS} connectors. Delete one first.`)
  const created_by = 'owner' in principal ? principal.owner : null
  if (!(await insertConnector(scope, tx, organization, { ...prepared, created_by }, at)))
    refuse(
      'CONNECTOR_EXISTS',
      `The organization has a connector for ${prepared.account} on ${host} already. Delete it first.`,
    )
  const created = await readConnector(scope, tx, organization, prepared.id, at)
  if (created === null) throw new Error('The connector that was just written was not found.')
  const { id, mode, account, write_back, bots } = prepared
  const after = { provider, host, mode, account, write_back, bots: bots.map(describeBot) }
  await auditChange(change, {
    action: 'connector_created',
    resourceId: id,
    organization,
    metadata: after,
    after,
  })
  return { status: 201, body: { json: renderConnector(created) } }
}

export async function removeConnector(context: RequestContext, { params }: PathParams): Promise<Reply> {
  const change = toChange(context)
  const organization = requireOrganization(context)
  const id = params.connector_id.toLowerCase() as ConnectorId
  const deleted = await deleteConnector(change.scope, change.tx, organization, id)
  if (deleted === null)
    return refuse('NOT_FOUND', 'The organization has no connector with this id. List its connectors first.')
  const before = { ...deleted, bots: deleted.bots.map(describeBot) }
  await auditChange(change, {
    action: 'connector_deleted',
    resourceId: id,
    organization,
    metadata: before,
    before,
  })
  return { status: 204, body: null }
}

/** For the audit log. */
function describeBot({ reviewer, account_id, format }: OwnBot): string {
  return `${reviewer}=${account_id}${format === undefined ? '' : `:${format}`}`
}

function renderConnector(row: ConnectorRow) {
  const { id, provider, host, mode, write_back, bots, error, repositories } = row
  const { last_event_at, lag_seconds, unparsed_comments } = row
  const { backfill_done: done, backfill_total } = row
  // A pull request that was created during the backfill is done without being in the total.
  const total = backfill_total === null ? null : Math.max(backfill_total, done)
  return {
    id,
    provider,
    host,
    mode,
    write_back,
    bots,
    status: toStatus(row),
    error: error ?? describeOmitted(row),
    repositories,
    backfill: { done, total, seconds_left: estimateSecondsLeft(row, total) },
    last_event_at,
    lag_seconds,
    unparsed_comments,
  }
}

function describeOmitted({ omitted_comments: count, host }: ConnectorRow): string | null {
  if (count === 0) return null
  return `Comments of very long pull requests at ${host} that were not read, or not whole: ${count}. Findings in them are missing. Everything else is read.`
}

function toStatus({ status, unfinished }: ConnectorRow) {
  return status === 'active' && unfinished > 0 ? 'backfilling' : status
}

/** Waits for rate limits count in the time so far, so the estimate includes those to come. */
function estimateSecondsLeft(row: ConnectorRow, total: number | null): number | null {
  const { backfill_done: done, backfill_seconds: seconds, unfinished, status } = row
  if (status === 'pending') return null
  if (unfinished === 0) return 0
  if (total === null || done === 0 || seconds === null) return null
  return Math.ceil((seconds / done) * (total - done))
}
