import { runBatch } from '../db/batch.ts'
import type { Connection, Pool } from '../db/connect.ts'
import type { Tx } from '../db/transaction.ts'
import { takeLock } from './sql.ts'

/**
 * Runs `work` in a transaction that holds a lock over all workers; null when another one holds it. The transaction
 * has no root: it sees what the worker's role may see without one. A worker that vanished with the lock loses it
 * after `mostSeconds` of silence.
 */
export async function holdingLock<Result>(
  pool: Pool,
  name: string,
  mostSeconds: number,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result | null> {
  const connection = await pool.connect()
  // The next statement fails anyway; an unheard error event would end the process.
  connection.on('error', ignore)
  let failure: Error | undefined
  try {
    const tx = transactionOn(connection)
    await connection.query('begin')
    const [lock] = await tx.query<{ taken: boolean }>(takeLock, [name, String(mostSeconds * 1000)])
    const result = lock?.taken ? await work(tx) : null
    await connection.query('commit')
    return result
  } catch (error) {
    await connection.query('rollback').catch((lost: Error) => {
      failure = lost
    })
    throw error
  } finally {
    connection.off('error', ignore)
    connection.release(failure)
  }
}

function transactionOn(connection: Connection): Tx {
  return {
    async query(statement, values) {
      const [rows] = await runBatch(connection, [{ statement, values }])
      return (rows ?? []) as never
    },
  }
}

const ignore = () => {}
