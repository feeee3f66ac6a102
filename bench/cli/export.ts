import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const cliEntry = fileURLToPath(new URL('../../cli/dist/scholiast.js', import.meta.url))

export interface ExportTarget {
  readonly baseUrl: string
  readonly key: string
  readonly from: string
  readonly to: string
  /** For the files. */
  readonly folder: string
}

const PAGE_ROWS = 100_000
const SAMPLE_MS = 100
const SHOWN_SAMPLES = 10

/** What curl needs for the pages that the command line reads, decompressed into one file. */
export async function downloadPages({ baseUrl, key, from, to, folder }: ExportTarget) {
  const file = join(folder, 'curl.jsonl')
  let seconds = 0
  let end = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url = `${baseUrl}/v1/metrics/review-comments?start_date=${from}&end_date=${to}&limit=${PAGE_ROWS}`
    const started = performance.now()
    await execute(
      'bash',
      [
        '-c',
        'curl --silent --fail --compressed -H "x-service-api-key: $KEY" -H "accept: application/x-ndjson" "$URL" >> "$FILE"',
      ],
      {
        env: {
          PATH: process.env['PATH'],
          KEY: key,
          FILE: file,
          URL: cursor === '' ? url : `${url}&cursor=${cursor}`,
        },
      },
    )
    seconds += (performance.now() - started) / 1000
    // Its last line is not a record.
    const last = await readLastLine(file)
    end = last.start
    const handle = await open(file, 'r+')
    await handle.truncate(end)
    await handle.close()
    cursor = (JSON.parse(last.text) as { next_cursor: string | null }).next_cursor
  }
  return { file, seconds }
}

async function readLastLine(file: string): Promise<{ text: string; start: number }> {
  const handle = await open(file, 'r')
  const { size } = await handle.stat()
  const tail = Buffer.alloc(Math.min(size, 4096))
  await handle.read(tail, 0, tail.length, size - tail.length)
  await handle.close()
  const start = tail.lastIndexOf(10, tail.length - 2) + 1
  return { text: tail.subarray(start).toString(), start: size - tail.length + start }
}

/** The built command line in a process of its own, whose memory is read from /proc. */
export async function exportLines({ baseUrl, key, from, to, folder }: ExportTarget) {
  const file = join(folder, 'cli.jsonl')
  const words = ['metrics', 'export', 'comments', '--from', from, '--to', to, '--out', file]
  const started = performance.now()
  const child = spawn(process.execPath, [cliEntry, ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'], SCHOLIAST_URL: baseUrl, SCHOLIAST_API_KEY: key },
  })
  const samples: number[] = []
  let peakMb = 0
  const timer = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (text) => {
        samples.push(readField(text, 'VmRSS'))
        peakMb = Math.max(peakMb, readField(text, 'VmHWM'))
      },
      // It has ended.
      () => undefined,
    )
  }, SAMPLE_MS)
  await once(child, 'exit')
  clearInterval(timer)
  const seconds = (performance.now() - started) / 1000
  if (child.exitCode !== 0) throw new Error(`The export failed with ${child.exitCode}.`)
  const step = Math.max(1, Math.floor(samples.length / SHOWN_SAMPLES))
  return { file, seconds, peakMb, memoryMb: samples.filter((_, index) => index % step === 0) }
}

function readField(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}
