import { listKeyStates } from '../resources/connectors/rotate-secrets.ts'
import { type AdminCommand, defineCommand } from './command.ts'

const keys = defineCommand({
  name: 'connector keys',
  summary: 'List the keys that encrypt secrets of connectors, and which to remove',
  environment: ['WORKER_DATABASE_URL', 'CONNECTOR_KEYS'],
  async run(admin) {
    const ring = admin.connectorRing()
    const { pool } = await admin.operator()
    const states = await listKeyStates(pool, ring)
    const rows = states.map(({ key_id, secrets, can_be_removed }) => ({ key_id, secrets, can_be_removed }))
    const missing = states.filter(({ can_be_removed }) => can_be_removed === null)
    const more =
      missing.length === 0
        ? null
        : `CONNECTOR_KEYS lacks ${missing.map(({ key_id }) => key_id).join(', ')}: add the pair again, or connect these organizations again.`
    return { rows, emptyMessage: '', more }
  },
})

export const connectorCommands: readonly AdminCommand[] = [keys]
