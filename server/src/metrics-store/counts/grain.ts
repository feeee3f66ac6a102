import { toDayNumber, WEEK_DAYS } from '../week.ts'

/** The grouping of stored counts; migration 0016 describes each grain. */
export type Grain = 'block' | 'repository' | 'author' | 'total'

/** Counts are rebuilt in blocks: four weeks of an organization. */
export const BLOCK_DAYS = 4 * WEEK_DAYS

export function toBlockStart(day: string): number {
  return floorTo(toDayNumber(day), BLOCK_DAYS)
}

function floorTo(day: number, days: number): number {
  return day - (day % days)
}

/** The columns that a summary groups or filters by. */
export interface NeededDimensions {
  readonly week: boolean
  readonly repository: boolean
  readonly author: boolean
}

/** Inclusive; empty when the last day precedes the first. */
export type DayRange = readonly [first: number, last: number]

/** A window as whole periods of a grain, plus the pull requests of the days before and after them. */
export interface WindowSplit {
  readonly grain: Grain
  readonly before: DayRange
  readonly whole: DayRange
  readonly after: DayRange
}

const EMPTY_DAY_RANGE: DayRange = [0, -1]

export function splitWindow(startDate: string, endDate: string, needed: NeededDimensions): WindowSplit {
  const first = toDayNumber(startDate)
  const last = toDayNumber(endDate)
  const { grain, days } = chooseGrain(needed)
  const from = floorTo(first + days - 1, days)
  const to = floorTo(last + 1, days)
  if (from >= to || needsPullRequests(needed))
    return { grain, before: [first, last], whole: EMPTY_DAY_RANGE, after: EMPTY_DAY_RANGE }
  return { grain, before: [first, from - 1], whole: [from, to - 1], after: [to, last] }
}

function chooseGrain({ repository, author }: NeededDimensions): { grain: Grain; days: number } {
  if (repository && author) return { grain: 'block', days: BLOCK_DAYS }
  if (repository) return { grain: 'repository', days: WEEK_DAYS }
  return { grain: author ? 'author' : 'total', days: WEEK_DAYS }
}

/** No grain has all three columns: such a summary reads the pull requests. */
function needsPullRequests({ week, repository, author }: NeededDimensions): boolean {
  return week && repository && author
}
