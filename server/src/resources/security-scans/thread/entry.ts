import { parentPort, workerData } from 'node:worker_threads'
import { type Order, runTaskRequest } from './messages.ts'

// What the thread runs: one task, one answer.
parentPort?.postMessage(runTaskRequest(workerData as Order))
