import { type Pool, statement } from '../../db/connect.ts'
import { inTransactionUnscoped, runUnscoped } from '../../db/transaction.ts'
import type { Embedder } from '../../text/embed/embedder.ts'

// Unscoped because models belong to the installation, not to a tenant.

const insertFirstActive = statement(
  'knowledge.settle-first',
  `insert into learning_model (model, dimensions, state) select $1, $2, 'active'
   where not exists (select from learning_model) on conflict do nothing returning model`,
)

const selectRecentlyActivated = statement(
  'knowledge.fresh-model',
  `select model from learning_model where state = 'active' and since > now() - interval '10 minutes'`,
)

const selectRetired = statement(
  'knowledge.retired-models',
  `select model from learning_model where state = 'retired' and since < now() - interval '10 minutes' order by since`,
)

const dropVectorIndexes = statement('knowledge.drop-near', 'select learning_index_drop_near($1)')

const deleteModel = statement(
  'knowledge.forget-model',
  `delete from learning_model where model = $1 and state = 'retired'`,
)

const retireFilling = statement(
  'knowledge.retire-filling',
  `update learning_model set state = 'retired', since = now() where state = 'filling' and model <> $1`,
)

const upsertFilling = statement(
  'knowledge.fill-model',
  `insert into learning_model as m (model, dimensions, state) values ($1, $2, 'filling')
   on conflict (model) do update set state = 'filling', since = now() where m.state = 'retired'`,
)

const retireActive = statement(
  'knowledge.retire-active',
  `update learning_model set state = 'retired', since = now() where state = 'active' and model <> $1`,
)

const activate = statement(
  'knowledge.activate-model',
  `update learning_model set state = 'active', since = now() where model = $1 and state = 'filling' returning model`,
)

/** False if a model exists already. */
export async function activateFirstModelUnscoped(
  pool: Pool,
  { model, dimensions }: Embedder,
): Promise<boolean> {
  return (await runUnscoped(pool, insertFirstActive, [model, dimensions])).length > 0
}

/** The active model, if it was activated so recently that some nodes may have written without it. */
export async function findRecentlyActivatedModelUnscoped(pool: Pool): Promise<string | null> {
  const [row] = await runUnscoped<{ model: string }>(pool, selectRecentlyActivated, [])
  return row?.model ?? null
}

/** Models retired so long ago that no node has them cached as active. */
export async function findRetiredModelsUnscoped(pool: Pool): Promise<string[]> {
  return (await runUnscoped<{ model: string }>(pool, selectRetired, [])).map(({ model }) => model)
}

export async function dropVectorIndexesUnscoped(pool: Pool, model: string): Promise<void> {
  await runUnscoped(pool, dropVectorIndexes, [model])
}

export async function deleteModelUnscoped(pool: Pool, model: string): Promise<void> {
  await runUnscoped(pool, deleteModel, [model])
}

/** From now on, new texts are embedded with this model too. Retires any other model that is being filled. */
export function startFillingUnscoped(pool: Pool, { model, dimensions }: Embedder): Promise<void> {
  return inTransactionUnscoped(pool, async (tx) => {
    await Promise.all([tx.query(retireFilling, [model]), tx.query(upsertFilling, [model, dimensions])])
  })
}

/** Switches searches to the model. Throws without a change if it is no longer being filled. */
export function activateModelUnscoped(pool: Pool, model: string): Promise<void> {
  return inTransactionUnscoped(pool, async (tx) => {
    const [, activated] = await Promise.all([tx.query(retireActive, [model]), tx.query(activate, [model])])
    if (activated.length === 0)
      throw new Error(`The model ${model} is no longer being filled. Run the reindex again.`)
  })
}
