import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { RootId } from '../../ids.ts'
import { type Embedder, EmbeddingError, type EmbedOptions } from './embedder.ts'
import type { ThreadMessage, ThreadOptions, ThreadText } from './local-thread.ts'

/** Change the name if the vectors change: vectors of two models are never compared. */
export const LOCAL_MODEL = 'local-minilm-1'
const DIMENSIONS = 384

/** `npm run build` puts the files of the model there. */
const modelFolder = new URL('../../../model/', import.meta.url)
const modelFiles = ['model_quantized.onnx', 'tokenizer.json']
const threadEntry = new URL('local-thread.ts', import.meta.url)

/** The first 256 tokens count, which are almost never more characters. */
const MAX_TEXT_CHARACTERS = 4_000
const MAX_WAITING_TEXTS = 2_000
/** Each thread needs about 100 MB. One processor is left for the event loop. */
const MAX_THREADS = 4
/** The second text lies ready when the first is done, even while the event loop is busy. It is one of another tenant. */
const MAX_TEXTS_IN_THREAD = 2
const RESTART_DELAY_MS = 10_000
/** The tokenizer needs 40 MB. The memory of the model is not limited by this, but it does not grow. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 }

export interface LocalEmbedder extends Embedder {
  /** Ends the threads. Calls that are not finished, and later ones, reject. */
  close(): Promise<void>
}

export interface LocalEmbedderOptions {
  readonly folder?: URL
  readonly maxThreads?: number
  readonly maxWaitingTexts?: number
}

/**
 * The sentence model that comes with the service: no network, no model server. It runs in threads, which start with the
 * first texts. Returns null if the model is not installed; searches then use words alone.
 */
export function createLocalEmbedder({
  folder = modelFolder,
  maxThreads = Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1)),
  maxWaitingTexts = MAX_WAITING_TEXTS,
}: LocalEmbedderOptions = {}): LocalEmbedder | null {
  if (!modelFiles.every((name) => existsSync(new URL(name, folder)))) return null
  const queue = new EmbeddingQueue({ folder, maxThreads, maxWaitingTexts })
  return {
    model: LOCAL_MODEL,
    dimensions: DIMENSIONS,
    embed: (texts, options) => queue.embed(texts, options),
    async warmUp() {
      await queue.embed([''])
    },
    countWaiting: () => queue.waitingTexts,
    close: () => queue.close(),
  }
}

/** A call of `embed`. Its texts are sent to the threads one by one, so that a large batch does not delay a single query. */
interface Call {
  readonly owner: Owner
  readonly texts: readonly string[]
  readonly vectors: Float32Array[]
  /** The next text to send. */
  next: number
  missing: number
  readonly result: PromiseWithResolvers<Float32Array[]>
}

/** A tenant root, or the operator, with texts in the queue. */
interface Owner {
  readonly root: RootId | undefined
  /** Calls with texts that are not sent yet. They take turns. */
  readonly waiting: Set<Call>
  waitingTexts: number
  textsInThreads: number
}

/**
 * Owners take turns, and each has one text per thread at a time: a tenant with many texts delays the next text of another
 * one by at most one text.
 */
class EmbeddingQueue {
  readonly #options: Required<LocalEmbedderOptions>
  readonly #threads = new Set<ModelThread>()
  /** In the order of their turns. */
  readonly #owners = new Map<RootId | undefined, Owner>()
  #waitingTexts = 0
  #failedStart: { readonly until: number; readonly failure: EmbeddingError } | null = null
  #closed = false

  constructor(options: Required<LocalEmbedderOptions>) {
    this.#options = options
  }

  get waitingTexts(): number {
    return this.#waitingTexts
  }

  async embed(texts: readonly string[], { root, signal }: EmbedOptions = {}): Promise<Float32Array[]> {
    if (this.#closed) throw createClosedFailure()
    if (texts.length === 0) return []
    const owner = this.#owners.get(root) ?? {
      root,
      waiting: new Set(),
      waitingTexts: 0,
      textsInThreads: 0,
    }
    this.#refuseIfFull(owner, texts.length)
    this.#owners.set(root, owner)
    const result = Promise.withResolvers<Float32Array[]>()
    const cut = texts.map((text) => text.slice(0, MAX_TEXT_CHARACTERS))
    const call: Call = { owner, texts: cut, vectors: [], next: 0, missing: texts.length, result }
    owner.waiting.add(call)
    this.#countWaiting(owner, texts.length)
    // Otherwise a busy model would embed texts that nobody waits for, and the next ones would be late too.
    const abort = () => this.#fail(call, new EmbeddingError('The caller did not wait for the local model.'))
    signal?.addEventListener('abort', abort)
    this.#dispatch()
    try {
      return await result.promise
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  /** The threads finish the texts that they have: the runtime aborts the process if a thread ends in the middle of one. */
  async close(): Promise<void> {
    this.#closed = true
    this.#failWaiting(createClosedFailure())
    await Promise.all([...this.#threads].map((thread) => thread.terminate()))
  }

  /** Batches may fill half of the queue, so that queries still find room, and a tenant half of that, so that others do. */
  #refuseIfFull({ root, waitingTexts }: Owner, added: number): void {
    const { maxWaitingTexts } = this.#options
    const limit = added === 1 ? maxWaitingTexts : maxWaitingTexts / 2
    const share = root === undefined ? limit : limit / 2
    const refuse = (whose: string, waiting: number, max: number): never => {
      throw new EmbeddingError(
        `The local model has ${waiting} texts ${whose}waiting, and the limit is ${max}. Retry later, or send fewer texts at once.`,
      )
    }
    if (this.#waitingTexts + added > limit) refuse('', this.#waitingTexts, limit)
    if (waitingTexts + added > share) refuse('of this tenant ', waitingTexts, share)
  }

  #countWaiting(owner: Owner, change: number): void {
    owner.waitingTexts += change
    this.#waitingTexts += change
  }

  #dispatch(): void {
    for (const [root, owner] of this.#owners) {
      const [call] = owner.waiting
      if (call === undefined || owner.textsInThreads >= this.#options.maxThreads) continue
      const thread = this.#chooseThread()
      if (thread === null) return
      // Behind the others; the loop reaches it again.
      this.#owners.delete(root)
      this.#owners.set(root, owner)
      this.#send(call, thread)
    }
  }

  #send(call: Call, thread: ModelThread): void {
    const { owner } = call
    const index = call.next++
    this.#countWaiting(owner, -1)
    owner.textsInThreads++
    // Behind the owner's other calls, if it has more texts.
    owner.waiting.delete(call)
    if (call.next < call.texts.length) owner.waiting.add(call)
    const leave = () => {
      owner.textsInThreads--
      this.#forgetIfIdle(owner)
    }
    thread.embed(call.texts[index] ?? '').then(
      (vector) => {
        leave()
        if (this.#closed) this.#fail(call, createClosedFailure())
        call.vectors[index] = vector
        call.missing--
        if (call.missing === 0) call.result.resolve(call.vectors)
        this.#dispatch()
      },
      (failure: EmbeddingError) => {
        leave()
        this.#fail(call, failure)
        this.#dispatch()
      },
    )
  }

  /** An idle thread, else a new one, else one with room; null if there is none. */
  #chooseThread(): ModelThread | null {
    const threads = [...this.#threads].sort((a, b) => a.texts - b.texts)
    const [first] = threads
    if (first?.texts === 0) return first
    if (this.#threads.size < this.#options.maxThreads && !this.#startFailedRecently()) return this.#start()
    if (first === undefined && this.#failedStart !== null) this.#failWaiting(this.#failedStart.failure)
    return first !== undefined && first.texts < MAX_TEXTS_IN_THREAD ? first : null
  }

  #startFailedRecently(): boolean {
    return this.#failedStart !== null && performance.now() < this.#failedStart.until
  }

  #start(): ModelThread {
    const thread = new ModelThread(this.#options.folder, (failure) => {
      this.#threads.delete(thread)
      if (!thread.wasReady) this.#failedStart = { until: performance.now() + RESTART_DELAY_MS, failure }
    })
    this.#threads.add(thread)
    return thread
  }

  #failWaiting(failure: EmbeddingError): void {
    for (const { waiting } of this.#owners.values()) for (const call of waiting) this.#fail(call, failure)
  }

  #fail(call: Call, failure: EmbeddingError): void {
    const { owner } = call
    if (owner.waiting.delete(call)) this.#countWaiting(owner, call.next - call.texts.length)
    this.#forgetIfIdle(owner)
    call.result.reject(failure)
  }

  #forgetIfIdle({ root, waiting, textsInThreads }: Owner): void {
    if (waiting.size === 0 && textsInThreads === 0) this.#owners.delete(root)
  }
}

function createClosedFailure(): EmbeddingError {
  return new EmbeddingError('The local model is closed.')
}

class ModelThread {
  readonly #worker: Worker
  readonly #pending = new Map<number, PromiseWithResolvers<Float32Array>>()
  #lastId = 0
  wasReady = false

  /** `onExit` is called before the pending texts fail. */
  constructor(folder: URL, onExit: (failure: EmbeddingError) => void) {
    const workerData: ThreadOptions = { folder: folder.href }
    // The thread needs no credentials of the process.
    this.#worker = new Worker(threadEntry, { workerData, env: {}, execArgv: [], resourceLimits })
    this.#worker.on('message', (message: ThreadMessage) => this.#receive(message))
    let reason = ''
    this.#worker.on('error', (error: Error) => {
      // Only an error of the start is quoted: a later one may contain a text.
      if (!this.wasReady) reason = `: ${error.message}`
    })
    this.#worker.once('exit', () => {
      const problem = this.wasReady
        ? 'A thread of the local model ended.'
        : 'The local model could not be loaded'
      const failure = new EmbeddingError(problem + reason)
      onExit(failure)
      for (const { reject } of this.#pending.values()) reject(failure)
    })
    this.#worker.unref()
  }

  /** How many texts it has. */
  get texts(): number {
    return this.#pending.size
  }

  async embed(text: string): Promise<Float32Array> {
    const id = ++this.#lastId
    const pending = Promise.withResolvers<Float32Array>()
    this.#pending.set(id, pending)
    // An idle thread must not keep the process from ending, a working one must.
    this.#worker.ref()
    try {
      this.#worker.postMessage({ id, text } satisfies ThreadText)
      return await pending.promise
    } finally {
      this.#pending.delete(id)
      if (this.#pending.size === 0) this.#worker.unref()
    }
  }

  async terminate(): Promise<void> {
    await Promise.allSettled([...this.#pending.values()].map(({ promise }) => promise))
    await this.#worker.terminate()
  }

  #receive(message: ThreadMessage): void {
    if (message.id === 'ready') {
      this.wasReady = true
      return
    }
    const pending = this.#pending.get(message.id)
    if (message.vector === null) pending?.reject(new EmbeddingError('The local model failed on a text.'))
    else pending?.resolve(message.vector)
  }
}
