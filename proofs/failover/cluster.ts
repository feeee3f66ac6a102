import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const script = fileURLToPath(new URL('../../scripts/cluster', import.meta.url))
const execute = promisify(execFile)

export const nodes = ['n1', 'n2', 'n3'] as const
export type Node = (typeof nodes)[number]

/** Runs a command of scripts/cluster; returns what it printed. */
export async function cluster(...words: readonly string[]): Promise<string> {
  const { stdout } = await execute(script, words)
  return stdout.trim()
}

/** The node that leads; null while none does. */
export function findLeader(
  of: 'primary' | 'nats-leader',
  ...stream: readonly string[]
): Promise<Node | null> {
  return cluster(of, ...stream).then(
    (name) => nodes.find((node) => node === name) ?? null,
    () => null,
  )
}

/**
 * Starts a cluster and this process again inside its namespace of clients, then removes the cluster. Returns false there,
 * where the work is to be done.
 */
export async function runInCluster(): Promise<boolean> {
  if (process.env['SCHOLIAST_IN_CLUSTER'] !== undefined) return false
  console.error('  starting three nodes (scripts/cluster up)')
  await cluster('up')
  try {
    const child = spawn(script, ['exec', process.execPath, ...process.argv.slice(1)], { stdio: 'inherit' })
    await once(child, 'exit')
    process.exitCode = child.exitCode ?? 1
  } finally {
    await cluster('down')
  }
  return true
}
