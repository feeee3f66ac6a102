import { randomUUID } from 'node:crypto'
import { type Actor, audit } from '../../access/audit.ts'
import type { Scope } from '../../access/scope.ts'
import { emit } from '../../bus/emit.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { InstanceId } from '../../ids.ts'
import { insertInstance, insertRoot, readRootKind, type Subscription } from './sql.ts'

/** One change: the transaction it is made in, how far it reaches, who makes it, and its moment. */
export interface Change {
  readonly tx: Tx
  readonly scope: Scope
  readonly actor: Actor
  readonly at: Date
}

export interface NewInstance {
  readonly id?: InstanceId
  readonly name: string
  readonly provider: string
  readonly host: string
  readonly sendsMetrics: boolean
  /** Of an instance that is a tenant root itself; null inside a workspace, whose subscription holds. */
  readonly subscription: Subscription | null
}

export async function createInstance(change: Change, instance: NewInstance): Promise<InstanceId> {
  const { tx, scope, actor, at } = change
  const { name, provider, host, sendsMetrics } = instance
  const id = instance.id ?? (randomUUID() as InstanceId)
  await placeInRoot(change, instance)
  if (!(await insertInstance(scope, tx, { id, name, provider, host, sends_metrics: sendsMetrics }))) {
    refuse('INVALID_REQUEST', `The tenant root has an instance of ${provider} at ${host} already.`)
  }
  await emit(tx, scope, { type: 'instance.created', payload: { instance_id: id, provider } })
  const entry = {
    action: 'instance_created',
    resourceType: 'instance',
    resourceId: id,
    organization: null,
    actor,
    metadata: { provider, sends_metrics: sendsMetrics, own_root: instance.subscription !== null },
    personal: { name, host },
  }
  await audit(tx, scope, entry, at)
  return id
}

async function placeInRoot({ tx, scope, at }: Change, { name, subscription }: NewInstance): Promise<void> {
  if (subscription !== null) {
    if (await insertRoot(scope, tx, { name, subscription, at })) return
    refuse('INVALID_REQUEST', `There is a tenant root with the id ${scope.root} already. Choose another id.`)
  }
  const kind = await readRootKind(scope, tx)
  if (kind === 'workspace') return
  refuse(
    'INVALID_REQUEST',
    'A self-hosted instance is a tenant root of its own or belongs to a workspace, nothing else.',
  )
}
