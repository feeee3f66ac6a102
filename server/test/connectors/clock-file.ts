import { openSync, readSync, writeSync } from 'node:fs'
import { SimulatedClock } from '../../../fake-forge/clock.ts'

// The time of all processes of the proof is a number in a file, because `now` cannot wait for a message.

const BYTES = 8

/** A clock whose time other processes read. */
export class SharedClock extends SimulatedClock {
  readonly #file: number

  constructor(start: string, path: string) {
    super(start)
    this.#file = openSync(path, 'w')
    this.advance(0)
  }

  override advance(ms: number): void {
    super.advance(ms)
    const bytes = Buffer.alloc(BYTES)
    bytes.writeDoubleLE(this.now())
    writeSync(this.#file, bytes, 0, BYTES, 0)
  }
}

export function followClock(path: string): () => Date {
  const file = openSync(path, 'r')
  const bytes = Buffer.alloc(BYTES)
  return () => {
    readSync(file, bytes, 0, BYTES, 0)
    return new Date(bytes.readDoubleLE())
  }
}
