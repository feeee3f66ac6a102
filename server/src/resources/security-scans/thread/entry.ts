import { parentPort, workerData } from 'node:worker_threads'
import { runTaskRequest, type TaskRequest } from './tasks.ts'

// Runs one task and posts its result.
parentPort?.postMessage(runTaskRequest(workerData as TaskRequest))
