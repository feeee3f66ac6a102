// Loaded into the API and the worker with --import: their clock is that of the fake forges, which the proof moves.
import { readFileSync } from 'node:fs'

const READ_MS = 20
const SystemDate = Date
let offset = 0

/** A file that is being written has no line end yet. */
function readOffset(): void {
  const text = readFileSync(process.env['CLOCK_FILE'] ?? '', 'utf8')
  if (text.endsWith('\n')) offset = Number(text)
}

readOffset()
setInterval(readOffset, READ_MS).unref()

globalThis.Date = new Proxy(SystemDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [target.now() + offset] : values, newTarget) as Date,
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + offset : (Reflect.get(target, name, receiver) as unknown),
})
