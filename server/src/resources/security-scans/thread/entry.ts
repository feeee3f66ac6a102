import { parentPort, workerData } from 'node:worker_threads'
import { runTaskRequest, type TaskRequest } from './messages.ts'

// What the thread runs: one task, one answer.
parentPort?.postMessage(runTaskRequest(workerData as TaskRequest))
