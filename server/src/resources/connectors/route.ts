// Connectors read pull requests from GitHub and GitLab, so that an organization needs no reviewer of its own to send events.
// This folder has the endpoints that manage connectors, their encrypted secrets, and what all parts share: the snapshot of a
// pull request, its findings, and values made to fit our events. The rest follows the way of the data:
//   hooks/          receives webhooks and stores only what changed
//   sync/           the worker's loop: leases, polling, backfill, nightly sweep; what it finds becomes events of the queue
//   git-providers/  clients of GitHub and GitLab, with their rate limits and address checks
//   git/            fetches commits that the providers' APIs do not show
//   parsers/        one file for each review bot: from comments to findings; thread/ runs them outside of the event loop
//   outcomes/       decides from commits, threads and replies what became of a finding
//   write-back/     check runs and replies, for connectors that opted in
// A connector writes nothing into metrics or Learnings itself: it sends the same events as any other sender.
import { allowKeys, defineEndpoint } from '../../http/endpoint.ts'
import examples from './examples.json' with { type: 'json' }
import {
  createConnector,
  listConnectors,
  prepareConnector,
  refuseInvalidConnector,
  removeConnector,
} from './handlers.ts'
import {
  Connector,
  ConnectorList,
  ConnectorPath,
  ConnectorQuery,
  ConnectorsQuery,
  NewConnectorBody,
} from './schema.ts'

const common = {
  tag: 'Connectors',
  keys: allowKeys('user'),
  organization: 'required',
  plan: 'any',
  admin: true,
  permission: 'organization_management:write',
  limit: 'connectors',
} as const

export const connectors = defineEndpoint({
  ...common,
  method: 'GET',
  readsWithAdmission: true,
  path: '/v1/connectors',
  operationId: 'listConnectors',
  example: examples.connectors,
  summary: 'List connectors',
  description:
    'Returns the connectors of the organization with their progress and errors, without their secrets.',
  query: ConnectorsQuery,
  paging: { defaultLimit: 100, limitInCursor: false, boundBy: [] },
  replies: { 200: { description: 'A page of connectors.', body: ConnectorList } },
  run: listConnectors,
})

export const newConnector = defineEndpoint({
  ...common,
  method: 'POST',
  path: '/v1/connectors',
  operationId: 'createConnector',
  freshSignIn: true,
  example: examples.newConnector,
  summary: 'Connect an organization',
  description:
    'Connects the organization to GitHub or GitLab. A worker then reads its repositories, members and pull requests of the last ' +
    'year, and follows changes. Read the connector again to see its progress and errors.',
  body: NewConnectorBody,
  checks: { input: refuseInvalidConnector },
  prepare: prepareConnector,
  replies: { 201: { description: 'The new connector.', body: Connector } },
  refusals: ['CONNECTOR_EXISTS'],
  run: createConnector,
})

export const connectorRemoval = defineEndpoint({
  ...common,
  method: 'DELETE',
  path: '/v1/connectors/{connector_id}',
  operationId: 'deleteConnector',
  freshSignIn: true,
  example: examples.connectorRemoval,
  summary: 'Delete a connector',
  description:
    'Deletes a connector with its secrets. What it reported stays. Revoke its credential at the Git provider too.',
  params: ConnectorPath,
  query: ConnectorQuery,
  replies: { 204: { description: 'The connector is deleted.', body: null } },
  refusals: ['NOT_FOUND'],
  run: removeConnector,
})
