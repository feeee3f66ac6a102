import type { Pool } from '../../db/connect.ts'
import { readScoped } from '../../db/transaction.ts'
import type { Scope } from '../scope.ts'
import { genesis } from './chain.ts'
import { exportClearRows, exportRows, readAuditCheckpoint } from './sql.ts'
import type { ChainPosition, ExportFrame } from './verify.ts'

const ROWS_PER_PAGE = 5000
const chainStart: ChainPosition = { position: 0, hash: genesis.toString('hex') }

interface ExportPageRow {
  readonly head: number | null
  readonly head_hash: string | null
  readonly position: number | null
  readonly at: string
  readonly line: string
}

/** Exports the whole chain of a root as stored, one JSON object per line. The verifier finds errors in it. */
export async function* exportAudit(
  pool: Pool,
  scope: Scope,
  withClear: boolean,
): AsyncGenerator<string, void> {
  const [dropped] = await readScoped(pool, scope, (tx) =>
    tx.query<ChainPosition>(readAuditCheckpoint, [scope.root]),
  )
  yield renderFrame({ kind: 'start', version: 1, root: scope.root, after: dropped ?? chainStart })
  const query = withClear ? exportClearRows : exportRows
  for (let [position, at] = [-1, '-infinity']; ; ) {
    const values = [scope.root, position, at, ROWS_PER_PAGE]
    const page = await readScoped(pool, scope, (tx) => tx.query<ExportPageRow>(query, values))
    const rows = page.filter((row) => row.position !== null)
    if (rows.length > 0) yield rows.map(({ line }) => `${line}\n`).join('')
    if (rows.length < ROWS_PER_PAGE) {
      const { head, head_hash } = page[0] ?? {}
      yield renderFrame({
        kind: 'end',
        head: head && head_hash ? { position: head, hash: head_hash } : chainStart,
      })
      return
    }
    const last = rows.at(-1)
    if (last?.position != null) [position, at] = [last.position, last.at]
  }
}

function renderFrame(frame: ExportFrame): string {
  return `${JSON.stringify(frame)}\n`
}
