import { type Static, Type } from 'typebox'
import { closedObject, literals, nullable, optionalOrgId } from '../../shape.ts'
import knownBots from './parsers/bots.json' with { type: 'json' }

const orgId = optionalOrgId('ID of the organization, assigned by the Git provider. User keys ignore it.')

export const ConnectorPath = closedObject({
  connector_id: Type.String({
    format: 'uuid',
    description: 'ID of the connector, as returned by the list.',
  }),
})

export const ConnectorsQuery = closedObject({
  org_id: orgId,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 100,
      description: 'Connectors per page. Default 100.',
    }),
  ),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page, unchanged.' })),
})

export const ConnectorQuery = closedObject({ org_id: orgId })

const provider = literals(['github', 'gitlab'], {
  description: 'The Git provider of the organization.',
})
const mode = literals(['hooks', 'polling'], {
  description:
    '`hooks`: the provider reports changes to `/hooks/{connector_id}`. `polling`: the connector looks for changes every minute, ' +
    'less often if there are many repositories, so the service needs no public address. Both check every night that nothing was missed.',
})

const secret = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[\\x20-\\x7e\\r\\n]+$', description, writeOnly: true })
const digits = (description: string) => Type.String({ pattern: '^[1-9][0-9]{0,18}$', description })

const GithubCredential = closedObject({
  app_id: digits('ID of the GitHub App.'),
  installation_id: digits('ID of the installation of the App in the organization.'),
  private_key: secret(16_384, 'Private key of the App as PEM. It is encrypted and never returned.'),
})
const GitlabCredential = closedObject({
  token: secret(
    1_024,
    'Group access token with the scopes `read_api` and `read_repository`. It is encrypted and never returned.',
  ),
})

const OwnBot = closedObject({
  account_id: digits('Numeric ID of the account at the Git provider.'),
  reviewer: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$',
    description: 'The name of the reviewer, as findings carry it.',
    examples: ['acme-review'],
  }),
  format: Type.Optional(
    Type.Unsafe<string>(
      Type.Union(
        knownBots.map(({ name }) => Type.Literal(name)),
        {
          description:
            'The known bot whose format its comments have. Left out: its findings are comments on lines that start with their ' +
            'severity, such as `**High** The title`.',
        },
      ),
    ),
  ),
})
/** A bot whose account the provider takes for a person. */
export type OwnBot = Static<typeof OwnBot>

export const NewConnectorBody = closedObject({
  org_id: orgId,
  provider,
  host: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9.-]{0,252}(:[0-9]{1,5})?$',
      description: 'Host of the Git provider. Default: its cloud, such as github.com.',
      examples: ['github.com'],
    }),
  ),
  mode,
  account: Type.String({
    pattern: '^(?!-)[A-Za-z0-9_.-]*[A-Za-z0-9_-](/(?!-)[A-Za-z0-9_.-]*[A-Za-z0-9_-]){0,20}$',
    maxLength: 255,
    description:
      'Login of the organization at GitHub, or path of the group at GitLab. An organization has one connector for each account.',
    examples: ['meridian-platform'],
  }),
  credential: Type.Union([GithubCredential, GitlabCredential], {
    description: 'What the connector reads with. Read permissions are enough without `write_back`.',
  }),
  webhook_secret: Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      writeOnly: true,
      description:
        'Signs hooks. Required with the mode `hooks`, else refused. It is encrypted and never returned.',
    }),
  ),
  write_back: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether the connector also writes to private repositories: a check run that lists the Learnings that apply to a pull ' +
        'request, and replies to the comments `/scholiast why` and `/scholiast remember`. Only for GitHub, with an App that may ' +
        'write checks and pull requests.',
    }),
  ),
  bots: Type.Optional(
    Type.Array(OwnBot, {
      maxItems: 50,
      description:
        'Bots that are not known by their account: of your own, or of a vendor under an account of yours. Known bots need no entry.',
    }),
  ),
})
export type NewConnectorBody = Static<typeof NewConnectorBody>

const connectorStatuses = ['pending', 'backfilling', 'active', 'failing'] as const

const nullableTime = (description: string) => nullable(Type.String({ format: 'date-time' }), { description })
const nullableCount = (description: string) => nullable(Type.Integer({ minimum: 0 }), { description })

export const Connector = closedObject({
  id: Type.String({ format: 'uuid' }),
  provider,
  host: Type.String(),
  mode,
  write_back: Type.Boolean({ description: 'Whether the connector writes to private repositories.' }),
  bots: Type.Array(OwnBot, { description: 'Bots that are not known by their account.' }),
  status: literals(connectorStatuses, {
    description:
      '`pending`: the provider was not read yet. `backfilling`: earlier pull requests are being read. `active`: it follows ' +
      'changes. `failing`: `error` says why and what to do.',
  }),
  error: nullable(Type.String(), { description: 'What is wrong, and what to do.' }),
  repositories: Type.Integer({ minimum: 0, description: 'Repositories that the connector reads.' }),
  backfill: closedObject(
    {
      done: Type.Integer({ minimum: 0 }),
      total: nullableCount('null while it is not known.'),
      seconds_left: nullableCount('An estimate from the progress so far; null while there is none.'),
    },
    { description: 'Progress of reading the pull requests of the last year.' },
  ),
  last_event_at: nullableTime('When the connector last found a change; null = never.'),
  lag_seconds: Type.Integer({
    minimum: 0,
    description: 'How long the oldest known change waits to be read; 0 = none waits.',
  }),
  unparsed_comments: Type.Integer({
    minimum: 0,
    description: 'Comments of known bots that look like findings, but that no parser understands.',
  }),
})

export const ConnectorList = closedObject({
  data: Type.Array(Connector),
  next_cursor: nullable(Type.String()),
})
