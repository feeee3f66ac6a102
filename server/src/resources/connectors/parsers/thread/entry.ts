import { parentPort } from 'node:worker_threads'
import { encodeOutcome } from '../../../../thread-response.ts'
import { parseComments } from '../parse-comments.ts'
import type { ParseRequest } from './run.ts'

// Parses the comments of one pull request after the other.
parentPort?.on('message', ({ snapshot, ownBots }: ParseRequest) => {
  parentPort?.postMessage(encodeOutcome(() => parseComments(snapshot, ownBots)))
})
