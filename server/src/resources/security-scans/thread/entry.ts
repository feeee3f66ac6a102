import { parentPort, workerData } from 'node:worker_threads'
import { answerOf, type Order } from './answer.ts'

// What the thread runs: one task, one answer.
parentPort?.postMessage(answerOf(workerData as Order))
