import { listKeyStates } from '../resources/connectors/rotate-secrets.ts'
import { type AdminCommand, defineCommand } from './command.ts'

export const connectorCommands: readonly AdminCommand[] = [
  defineCommand({
    name: 'connector keys',
    summary: 'List the keys that encrypt secrets of connectors, and which to remove',
    environment: ['WORKER_DATABASE_URL', 'CONNECTOR_KEYS'],
    async run(admin) {
      const ring = admin.connectorRing()
      const { pool } = await admin.operator()
      const rows = (await listKeyStates(pool, ring)).map((state) => ({ ...state }))
      const missing = rows.filter(({ can_be_removed }) => can_be_removed === null)
      const more =
        missing.length === 0
          ? null
          : `CONNECTOR_KEYS lacks ${missing.map(({ key_id }) => key_id).join(', ')}: add the pair again, or connect these organizations again.`
      return { rows, emptyMessage: '', more }
    },
  }),
]
