import { randomBytes } from 'node:crypto'
import { credentialScope } from '../../../access/scope.ts'
import { createRequestRate } from '../../../bus/queue/request-rate.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { HookEndpoint, HookRequest } from '../../../http/hooks.ts'
import { isUuid, NIL_UUID, type RootId } from '../../../ids.ts'
import { HOUR_MS } from '../../../time.ts'
import {
  type HookDelivery,
  readGithubHook,
  readGitlabHook,
  verifyGithubHook,
  verifyGitlabHook,
} from '../git-providers/hooks.ts'
import { openSecret } from '../secrets.ts'
import {
  type HookConnector,
  markAlertsDue,
  markByHook,
  markInventoryDue,
  markReadersDue,
  readHookConnectorUnscoped,
  storeDelivery,
} from './sql.ts'

const MAX_HOOK_BYTES = 25 * 1024 * 1024
/** Limit per connector and node, in any second. The nightly sweep finds what further hooks were about. */
const MAX_HOOKS_PER_SECOND = 100
/** Limit per connector. */
const MAX_WAITING_PULL_REQUESTS = 10_000
const READ_DELAY_SECONDS = 5
const ALERTS_DELAY_SECONDS = 60

/** Hooks that say that members, teams or repositories changed. */
const inventoryKinds = new Set([
  'installation',
  'installation_repositories',
  'member',
  'membership',
  'organization',
  'repository',
  'team',
])

/** Hooks that say that people gained or lost access to repositories. */
const accessKinds = new Set(['member', 'membership', 'team'])
/** If a hook names no repository, all of them are read: once for many hooks. */
const ALL_READERS_DELAY_MS = HOUR_MS

export function createHookEndpoint(): HookEndpoint {
  const countRequest = createRequestRate(MAX_HOOKS_PER_SECOND)
  // Verifies hooks of connectors that do not exist, so that they take as long as others.
  const unknownSecret = randomBytes(32).toString('hex')
  return {
    method: 'POST',
    path: '/hooks/{connector_id}',
    errorBody: 'error',
    maxBytes: MAX_HOOK_BYTES,
    async run(app, request) {
      const connector = await findConnector(app, request)
      const body = await readVerifiedBody(app, request, connector, unknownSecret)
      if (connector === null || body === null) return refuseHook()
      const waitMs = countRequest(connector.id)
      if (waitMs !== null)
        refuse('RATE_LIMIT_EXCEEDED', `A connector may receive ${MAX_HOOKS_PER_SECOND} hooks per second.`, {
          'retry-after': String(Math.ceil(waitMs / 1000)),
        })
      const read = connector.provider === 'github' ? readGithubHook : readGitlabHook
      const delivery = read(request.headers, body)
      if (delivery === null)
        return refuse('INVALID_REQUEST', `The request is not a hook of ${connector.provider}.`)
      await recordDelivery(app, connector, delivery)
      return { status: 202, body: null }
    },
  }
}

async function findConnector(
  { authPool }: AppContext,
  { params: { connector_id: id = '' } }: HookRequest,
): Promise<HookConnector | null> {
  return isUuid(id) ? readHookConnectorUnscoped(authPool, id) : null
}

/** Returns null if the signature does not match. What an unknown connector costs and returns is the same. */
async function readVerifiedBody(
  { config: { connectorKeys } }: AppContext,
  { headers, readBody }: HookRequest,
  connector: HookConnector | null,
  unknownSecret: string,
): Promise<Buffer | null> {
  const isSigned = headers['x-hub-signature-256'] !== undefined
  if (!isSigned && headers['x-gitlab-token'] === undefined) return null
  const secret = (connector && openHookSecret(connectorKeys, connector)) ?? unknownSecret
  const root = connector?.root_id ?? (NIL_UUID as RootId)
  if (isSigned) {
    const body = await readBody(root)
    const matches = await verifyGithubHook(secret, headers, body)
    return matches && connector?.provider === 'github' ? body : null
  }
  // The secret is in the header, so that nothing is received from somebody who does not have it.
  return verifyGitlabHook(secret, headers) && connector?.provider === 'gitlab' ? await readBody(root) : null
}

function openHookSecret(
  ring: AppContext['config']['connectorKeys'],
  { root_id, id, hook_secret, key_id }: HookConnector,
): string | null {
  if (hook_secret === null) return null
  return openSecret(
    ring,
    { root: root_id, connector: id, name: 'hook_secret' },
    { keyId: key_id, bytes: hook_secret },
  )
}

function refuseHook(): never {
  return refuse(
    'UNAUTHORIZED',
    'The connector does not exist, or the signature of the hook does not match its secret.',
  )
}

/** Stores only where something changed, nothing else of the hook. A repeated delivery changes nothing. */
async function recordDelivery(
  { apiPool, now }: AppContext,
  connector: HookConnector,
  delivery: HookDelivery,
): Promise<void> {
  const at = now()
  const { id, root_id: root, organization_id } = connector
  const scope = credentialScope({ root, organizations: [organization_id] })
  await inTransaction(apiPool, scope, async (tx) => {
    if (!(await storeDelivery(scope, tx, connector, delivery, at))) return
    const { kind, repositoryId, numbers } = delivery
    if (inventoryKinds.has(kind)) await markInventoryDue(scope, tx, id, at)
    if (accessKinds.has(kind)) {
      const dueAt = repositoryId === null ? new Date(at.getTime() + ALL_READERS_DELAY_MS) : at
      await markReadersDue(scope, tx, id, repositoryId, dueAt)
    }
    if (repositoryId !== null && kind === 'code_scanning_alert')
      await markAlertsDue(scope, tx, id, repositoryId, { at, delaySeconds: ALERTS_DELAY_SECONDS })
    if (repositoryId !== null && numbers.length > 0)
      await markByHook(scope, tx, id, {
        repositoryId,
        numbers,
        at,
        delaySeconds: READ_DELAY_SECONDS,
        maxWaiting: MAX_WAITING_PULL_REQUESTS,
      })
  })
}
