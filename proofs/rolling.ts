import { cluster, nodes, runInCluster } from './failover/cluster.ts'
import type { ProofOptions } from './run.ts'
import { proveUpgrade } from './upgrade.ts'

const ROUNDS = 10

/** On three machines, processes are restarted again and again, then the engines of each machine, then everything is upgraded. */
export async function prove(options: ProofOptions): Promise<void> {
  if (await runInCluster()) return
  const { TEST_DATABASE_URL: databaseUrl = '', TEST_NATS_URL: natsUrl = '' } = process.env
  const rounds = options.quick || options.withoutCure ? 1 : ROUNDS
  await proveUpgrade(
    {
      title: `rolling: ${rounds} times every process, then each machine, then an upgrade; clients repeat once after 503`,
      databaseUrl,
      natsUrl,
      apis: 3,
      workers: 2,
      settings: { BUS_REPLICAS: '3', INGEST_MAX_BYTES: String(128 * 1024 ** 2) },
      retries: 1,
      async prepare(begin, replaceAll) {
        for (let round = 1; round <= rounds; round++) {
          begin(`restart ${round} of every process`)
          await replaceAll()
        }
        for (const node of nodes) {
          begin(`the engines of ${node} are restarted`)
          await cluster('restart', node)
          await cluster('wait')
        }
      },
    },
    options,
  )
}
