import { toDayNumber, WEEK_DAYS } from '../week.ts'

/** By what findings are counted together; migration 0016 tells of each. */
export type Grain = 'block' | 'repository' | 'author' | 'total'

/** What is counted anew as a whole: four weeks of an organization. */
export const BLOCK_DAYS = 4 * WEEK_DAYS

export function toBlockStart(day: string): number {
  return floorTo(toDayNumber(day), BLOCK_DAYS)
}

function floorTo(day: number, days: number): number {
  return day - (day % days)
}

/** What the rows of a summary must still tell. */
export interface NeededDimensions {
  readonly week: boolean
  readonly repository: boolean
  readonly author: boolean
}

/** The first day and the last one; nothing when the last comes before the first. */
export type DayRange = readonly [first: number, last: number]

/** The fewest rows that make up a window: whole periods of a grain, and the pull requests of the days before and after them. */
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

/** No grain tells everything apart: that is read from the pull requests. */
function needsPullRequests({ week, repository, author }: NeededDimensions): boolean {
  return week && repository && author
}
