import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningTask, WorkerContext } from '../../../bus/context.ts'
import type { IngestQueue } from '../../../bus/queue/queue.ts'
import type { KeyRing } from '../../../config.ts'
import type { ConnectorHosts } from '../../../settings/connector-hosts.ts'
import { LOCAL_MODEL } from '../../../text/embed/local.ts'
import { GitWorkspaces } from '../git/workspaces.ts'
import { resolveAllowed } from '../git-providers/request.ts'
import { createThreadParser } from '../parsers/thread/run.ts'
import type { FindLearnings } from '../write-back/context.ts'
import { createWriteBack } from '../write-back/write-back.ts'
import { createClients } from './create-client.ts'
import { createGitDetector } from './detect.ts'
import { startSync } from './loop.ts'
import { type CheckEvent, createEventSender } from './send-events.ts'

export interface ConnectorOptions {
  readonly keys: KeyRing
  readonly hosts: ConnectorHosts
  readonly queue: IngestQueue
}

/** What other resources do for connectors. */
export interface ConnectorServices {
  readonly check: CheckEvent
  readonly findLearnings: FindLearnings
}

/** Serves the connectors of all tenants. Without keys there are none. */
export async function startConnectors(
  {
    database,
    embedders,
    log,
    metrics,
    now,
  }: Pick<WorkerContext, 'database' | 'embedders' | 'log' | 'metrics' | 'now'>,
  { keys, hosts, queue }: ConnectorOptions,
  { check, findLearnings }: ConnectorServices,
): Promise<RunningTask | null> {
  if (keys.length === 0) return null
  const allowHttp = [...hosts.values()].some(({ network }) => network === 'loopback')
  const workspaces = await GitWorkspaces.open({ directory: join(tmpdir(), 'scholiast-git'), allowHttp })
  const { createClient, createWriteClient } = createClients({ database, keys, hosts, now })
  const sync = startSync({
    database,
    log,
    now,
    owner: randomUUID(),
    createClient,
    sendEvents: createEventSender(queue, check, now),
    writeBack: createWriteBack({ database, log, now, createWriteClient, findLearnings }),
    parseComments: createThreadParser(),
    detectOutcomes: createGitDetector(
      workspaces,
      (url) => resolveAllowed(url, { hosts }),
      embedders.configured.find(({ model }) => model === LOCAL_MODEL) ?? null,
    ),
    observeLag: (seconds) => metrics.connectorLag.observe(seconds),
  })
  return {
    async stop() {
      await sync.stop()
      await Promise.all([workspaces.close(), queue.close()])
    },
  }
}
