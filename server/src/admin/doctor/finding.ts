import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidSettingsError } from '../../config.ts'
import { describeCode } from '../output.ts'

/** Contains no name of a tenant, no text of an engine's error and no secret: it can be part of a bug report. */
export interface Finding {
  readonly check: string
  /** The database, server, stream or setting. */
  readonly of: string
  readonly found: string
  /** Null = nothing. */
  readonly to_do: string | null
}

export function report(check: string, of: string, found: string, toDo: string | null = null): Finding {
  return { check, of, found, to_do: toDo }
}

const MAX_CHECK_MS = 5_000
const MAX_SKEW_MS = 2_000

/** What was found, and what to do; nothing by default. */
export type Result = readonly [found: string, toDo?: string | null | undefined]

/** `runChecks` for one finding. */
export function runCheck(check: string, of: string, toDo: string, work: () => Promise<Result>) {
  return runChecks(check, of, toDo, async () => [report(check, of, ...(await work()))])
}

/** Resolves in time and never rejects: a failure is a finding too. `toDo` is for failures that have no known remedy. */
export async function runChecks(
  check: string,
  of: string,
  toDo: string,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const timer = new AbortController()
  const late = sleep(MAX_CHECK_MS, null, { signal: timer.signal })
  try {
    return (await Promise.race([work(), late])) ?? [report(check, of, 'no answer in 5 s', toDo)]
  } catch (error) {
    if (error instanceof InvalidSettingsError) {
      // Without the values that some problems quote.
      const problems = error.problems.map((problem) => problem.replace(/, not .*$/, ''))
      return [report(check, of, problems.join('; '), 'set this as for the service (docs/settings.md)')]
    }
    const { found, remedy } = describeCode(error)
    return [report(check, of, found, remedy ?? toDo)]
  } finally {
    timer.abort()
  }
}

/** Compares a clock that was read after `sentAt` with this machine's. */
export function describeClock(clock: number, sentAt: number): Result {
  const skew = Math.max(0, sentAt - clock, clock - Date.now())
  const toDo = 'synchronize the clocks of both machines (NTP)'
  return [`${(skew / 1000).toFixed(1)} s from the clock of this machine`, skew > MAX_SKEW_MS ? toDo : null]
}

export function renderBytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`
}
