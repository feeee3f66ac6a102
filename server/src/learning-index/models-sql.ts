import { type Pool, statement } from '../db/connect.ts'
import { runUnscoped } from '../db/transaction.ts'

export interface ModelRow {
  readonly model: string
  readonly dimensions: number
  readonly state: 'filling' | 'active' | 'retired'
}

// Nodes with a cached list still search the previously active model for a moment.
const selectModels = statement(
  'knowledge.models',
  `select model, dimensions, state from learning_model
   where state <> 'retired' or since > now() - interval '10 seconds' order by model`,
)

/** Unscoped because models belong to the installation, not to a tenant. */
export function readModelsUnscoped(pool: Pool): Promise<ModelRow[]> {
  return runUnscoped<ModelRow & object>(pool, selectModels, [])
}
