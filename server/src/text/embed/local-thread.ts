// A thread of the local embedder: the runtime of the model blocks the thread that calls it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { createTokenReader } from './tokens.ts'

/** Given to the thread when it starts. */
export interface ThreadOptions {
  /** The folder with the files of the model. */
  readonly folder: string
}

/** What is posted to the thread. */
export interface ThreadText {
  readonly id: number
  readonly text: string
}

/** What the thread posts: first that it is ready, then one for each text; null = the text failed. */
export type ThreadMessage =
  | { readonly id: 'ready' }
  | { readonly id: number; readonly vector: Float32Array<ArrayBuffer> | null }

const OUTPUT = 'last_hidden_state'

const { folder } = workerData as ThreadOptions
const readFile = (name: string) => readFileSync(new URL(name, folder))
const readTokens = createTokenReader(JSON.parse(readFile('tokenizer.json').toString()))
const session = await InferenceSession.create(fileURLToPath(new URL('model_quantized.onnx', folder)), {
  // Texts are spread over threads instead.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
})

/** One text at a time: the model quantizes over its whole input, so in a batch the other texts would change the vector. */
async function embedText(text: string): Promise<Float32Array<ArrayBuffer>> {
  const tokens = readTokens(text)
  const toTensor = (values: BigInt64Array) => new Tensor('int64', values, [1, tokens.length])
  const output = await session.run({
    input_ids: toTensor(BigInt64Array.from(tokens, BigInt)),
    attention_mask: toTensor(new BigInt64Array(tokens.length).fill(1n)),
    token_type_ids: toTensor(new BigInt64Array(tokens.length)),
  })
  return averageToUnit(output[OUTPUT]?.data as Float32Array, tokens.length)
}

/** The mean of the tokens' vectors, scaled to length 1. Every token counts: without a batch there is no padding. */
function averageToUnit(states: Float32Array, tokens: number): Float32Array<ArrayBuffer> {
  const dimensions = states.length / tokens
  const sum = new Float32Array(dimensions)
  // An iterator would take a tenth of the time of the model.
  for (let index = 0; index < states.length; index++)
    sum[index % dimensions] = (sum[index % dimensions] as number) + (states[index] as number)
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

parentPort?.on('message', ({ id, text }: ThreadText) => {
  const post = (vector: Float32Array<ArrayBuffer> | null) =>
    parentPort?.postMessage({ id, vector } satisfies ThreadMessage, vector ? [vector.buffer] : [])
  // The error is dropped: it may quote the text.
  void embedText(text).then(post, () => post(null))
})
parentPort?.postMessage({ id: 'ready' } satisfies ThreadMessage)
