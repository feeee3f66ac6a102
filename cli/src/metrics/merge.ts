import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ByteSink, openFileSink } from './byte-sink.ts'
import { readLines } from './lines.ts'

interface Outcome {
  readonly pull_request_key: string
  readonly finding_id: string
  readonly accepted: boolean | null
}

interface Written {
  readonly findings: { readonly finding_id: string; accepted: boolean | null }[]
}

interface ChangeHead {
  readonly key: string | null
  readonly kind: string
}

// Pull requests are merged in parts of about this size, so memory does not grow with the copy.
const PART_BYTES = 24 * 1024 * 1024
const head =
  /^\{"pull_request_key"\s*:\s*"([0-9a-f-]{36})"\s*,\s*"position"\s*:\s*\d+\s*,\s*"kind"\s*:\s*"(\w+)"/

/** Applies the changes of the files in their order, and writes the latest state of each pull request to the sink. */
export async function mergeChanges(files: readonly string[], folder: string, sink: ByteSink): Promise<void> {
  let bytes = 0
  for (const file of files) bytes += (await stat(file)).size
  const count = Math.ceil(bytes / PART_BYTES)
  if (count <= 1) {
    await mergePart(files, sink)
    return
  }
  const parts = await splitByKey(files, folder, count)
  for (const part of parts) {
    await mergePart([part], sink)
    await rm(part)
  }
}

/** All changes of a pull request are in the same part, in their order. */
async function splitByKey(files: readonly string[], folder: string, count: number): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, index) => join(folder, `part-${index}.jsonl`))
  const sinks = await Promise.all(paths.map((path) => openFileSink(path)))
  for (const file of files) {
    for await (const lines of readLines(file)) {
      const groups: string[][] = paths.map(() => [])
      for (const line of lines) {
        const { key } = readHead(line)
        if (key !== null) groups[Number.parseInt(key.slice(0, 8), 16) % count]?.push(line)
      }
      for (const [index, group] of groups.entries())
        if (group.length > 0) await sinks[index]?.write(Buffer.from(`${group.join('\n')}\n`))
    }
  }
  await Promise.all(sinks.map((sink) => sink.close()))
  return paths
}

async function mergePart(files: readonly string[], sink: ByteSink): Promise<void> {
  const lines = new Map<string, string>()
  for (const file of files)
    for await (const group of readLines(file)) for (const line of group) applyChange(lines, line)
  for (const line of lines.values()) await sink.write(Buffer.from(`${line}\n`))
}

function applyChange(lines: Map<string, string>, line: string): void {
  const { key, kind } = readHead(line)
  if (key === null) return
  switch (kind) {
    case 'written':
      lines.set(key, line)
      break
    case 'removed':
      lines.delete(key)
      break
    case 'outcome': {
      const known = lines.get(key)
      if (known !== undefined) lines.set(key, applyOutcome(known, JSON.parse(line) as Outcome))
      break
    }
    default:
      throw new Error(`The feed has a change of the unknown kind "${kind}". Update the command line.`)
  }
}

function applyOutcome(line: string, { finding_id, accepted }: Outcome): string {
  const written = JSON.parse(line) as Written
  const finding = written.findings.find((one) => one.finding_id === finding_id)
  if (finding === undefined) return line
  finding.accepted = accepted
  return JSON.stringify(written)
}

/** Parsing the whole line takes most of the time of a merge, so only its beginning is read where possible. */
function readHead(line: string): ChangeHead {
  const match = head.exec(line)
  if (match?.[1] !== undefined && match[2] !== undefined) return { key: match[1], kind: match[2] }
  const { pull_request_key: key, kind } = JSON.parse(line) as {
    pull_request_key: string | null
    kind: string
  }
  return { key, kind }
}
