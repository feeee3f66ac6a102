import type { JsMsg } from '@nats-io/jetstream'
import type { WorkerContext } from './context.ts'
import type { Failure } from './dead-letters.ts'

/** Throws RejectedMessageError if the message is not ours, and another error if this process cannot know. */
export type VerifyMessage = (message: Pick<JsMsg, 'subject' | 'data' | 'headers'>) => void

/** The message becomes a dead letter without another attempt. */
export class RejectedMessageError extends Error implements Failure {
  override readonly name = 'RejectedMessageError'
  readonly reason: 'unsigned' | 'forged'
  readonly error: string
  constructor(reason: 'unsigned' | 'forged', error: string) {
    super(error)
    this.reason = reason
    this.error = error
  }
}

export function createMessageVerifier({ bus, log }: WorkerContext): VerifyMessage {
  const { signatures } = bus
  let reported = false
  return ({ subject, data, headers }) => {
    const state = signatures.check(subject, data, headers)
    switch (state) {
      case 'valid':
      case 'not required':
        return
      case 'forged':
        throw new RejectedMessageError('forged', 'The signature of the message is wrong.')
      case 'unknown key':
        // Retried: during a rotation an API process may have its new key before the worker.
        throw new Error('The message is signed with a key that is not in INGEST_KEYS of the worker.')
      case 'unsigned':
        throw new RejectedMessageError('unsigned', 'The message is not signed.')
      case 'unverified':
        if (!reported) log.warn('not verifying the signatures of messages: set INGEST_KEYS')
        reported = true
    }
  }
}
