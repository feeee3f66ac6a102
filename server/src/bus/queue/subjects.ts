import type { Bus } from '../connect.ts'

// A subject that ends in `<root>.<size class>` lets anyone compute the bytes of each tenant root from the number of
// messages by subject, which the bus reports, without bookkeeping that could be wrong.

const SMALLEST_CLASS_BYTES = 256
const CLASS_STEP = 1.25
// Subject, headers and what the bus stores beside them.
const OVERHEAD_BYTES = 200

/** The smallest size class whose messages may have `bytes` of data. */
export function toSizeClass(bytes: number): number {
  const classes = Math.log((bytes + OVERHEAD_BYTES) / SMALLEST_CLASS_BYTES) / Math.log(CLASS_STEP)
  return Math.max(0, Math.ceil(classes))
}

/** The largest size of a message of the class: at most 25 % more than its size. */
export function toMaxBytes(sizeClass: number): number {
  return Math.ceil(SMALLEST_CLASS_BYTES * CLASS_STEP ** sizeClass)
}

export function toQueueSubject(bus: Bus, root: string, bytes: number): string {
  return bus.subject(`queue.${root}.${toSizeClass(bytes)}`)
}

/** Matches every size class. */
export function toRootFilter(bus: Bus, root: string): string {
  return bus.subject(`queue.${root}.*`)
}

/** The tenant root that a subject of the queue names; null = it is another subject. */
export function findQueueRoot(bus: Bus, subject: string): string | null {
  const path = subject.startsWith(bus.subject('')) ? subject.slice(bus.subject('').length) : ''
  return /^queue\.([^.]+)\.\d+$/.exec(path)?.[1] ?? null
}

/** Parses the end of a subject of the queue or of a dead letter; null = it names no root and size class. */
export function parseRootAndClass(
  subject: string,
): { readonly root: string; readonly maxBytes: number } | null {
  const [, root, sizeClass] = /\.([^.]+)\.(\d{1,3})$/.exec(subject) ?? []
  return root === undefined ? null : { root, maxBytes: toMaxBytes(Number(sizeClass)) }
}
