import { refuseKey } from '../../access/authenticate.ts'
import { type IngestCredential, verifyIngestCredential } from '../../access/ingest-credential.ts'
import { refuse } from '../../errors.ts'
import { readBody } from '../body.ts'
import { type Door, keyOf, type Request } from '../door.ts'
import type { House } from '../house.ts'
import { parseQuery } from '../query.ts'
import { shapeCheck } from '../validate.ts'
import { JSON_ARRAY, JSON_LINES, readBatch } from './batch.ts'
import type { EventQueue, IngestEndpoint } from './endpoint.ts'

type Keys = Pick<House, 'config' | 'now'>

/** Opens a door for events: the contract's order of checks, as far as it goes without a database. */
export function openIngestDoor(house: Keys, queue: EventQueue, endpoint: IngestEndpoint): Door {
  const checkQuery = shapeCheck('query', endpoint.query)
  return async (request) => {
    const credential = authenticate(house, request)
    refuseEnded(queue, credential)
    checkQuery(parseQuery(request.search, endpoint.query))
    const body = await readBody(request.body, request.headers, [JSON_ARRAY, JSON_LINES])
    const items = readBatch(body, endpoint.mostItems)
    return endpoint.run({ credential, queue, now: house.now }, items)
  }
}

function authenticate({ config, now }: Keys, { headers }: Request): IngestCredential {
  const value = keyOf(config.keyHeaders, headers)
  const known = value === undefined ? null : verifyIngestCredential(config.ingestKeys, value, now())
  return known ?? refuseKey()
}

function refuseEnded(queue: EventQueue, { id }: IngestCredential): void {
  const ended = queue.hasEnded(id)
  if (ended === null) {
    refuse(
      'OVERLOADED',
      'Whether the credential is still good cannot be told right now. Send the same later.',
      {
        'retry-after': '2',
      },
    )
  }
  if (ended) refuseKey()
}
