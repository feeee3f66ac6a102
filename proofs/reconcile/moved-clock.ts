import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '../../fake-forge/clock.ts'

const DAY_MS = 86_400_000
/** Nightly sweeps are due between 2 and 5 o'clock. */
const AFTER_SWEEPS_MS = 5 * 3_600_000 + 60_000
/** A step of a history takes seconds instead of minutes, so that no night passes during it. */
const STEP_SHARE = 1 / 60

/** Runs with the system's clock, ahead of it by what histories and the proof move it. The API and the worker follow it. */
export class MovedClock extends SimulatedClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'scholiast-clock-'))
  readonly #file = join(this.#folder, 'offset')
  #offset = 0

  constructor() {
    super(new Date().toISOString())
    this.skipToMorning()
  }

  override now(): number {
    return Date.now() + this.#offset
  }

  override advance(ms: number): void {
    this.skip(ms * STEP_SHARE)
  }

  skip(ms: number): void {
    this.#offset += Math.round(ms)
    writeFileSync(this.#file, `${this.#offset}\n`)
  }

  /** To the next time at which all nightly sweeps are due. */
  skipToMorning(): void {
    const today = Math.floor(this.now() / DAY_MS) * DAY_MS + AFTER_SWEEPS_MS
    this.skip((today > this.now() ? today : today + DAY_MS) - this.now())
  }

  /** Settings of a process whose clock this is. */
  get settings(): Readonly<Record<string, string>> {
    return {
      NODE_OPTIONS: `--import=${new URL('shift-clock.ts', import.meta.url).href}`,
      CLOCK_FILE: this.#file,
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
