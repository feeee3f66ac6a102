import { dayNumberOf } from '../week.ts'

/** By what findings are counted; migration 0016 tells of each. */
export type Grain = 'day' | 'block' | 'repository' | 'author' | 'total'

export const WEEK_DAYS = 7
const BLOCK_DAYS = 28

export interface Place {
  readonly grain: Grain
  readonly period: number
  readonly repository_id: string
  readonly author_id: string
  readonly number: number
}

/** What places a pull request. */
export interface Placed {
  readonly day: string
  readonly repository_id: string
  readonly author_id: string | null
  readonly number: number
}

/** Where a pull request is counted alone. */
export function ownPlace({ day, repository_id, author_id, number }: Placed): Place {
  return { grain: 'day', period: dayNumberOf(day), repository_id, author_id: author_id ?? '', number }
}

/** Where it is counted with others. */
export function sharedPlaces(placed: Placed): Place[] {
  const { period, repository_id, author_id } = ownPlace(placed)
  const week = period - (period % WEEK_DAYS)
  return [
    { grain: 'block', period: period - (period % BLOCK_DAYS), repository_id, author_id, number: 0 },
    { grain: 'repository', period: week, repository_id, author_id: '', number: 0 },
    { grain: 'author', period: week, repository_id: '', author_id, number: 0 },
    { grain: 'total', period: week, repository_id: '', author_id: '', number: 0 },
  ]
}

/** What the rows of a summary must still tell. */
export interface Kept {
  readonly week: boolean
  readonly repository: boolean
  readonly author: boolean
}

/** The first and the last one; nothing when the last comes before the first. */
export type Span = readonly [first: number, last: number]

/** The fewest rows that make up a window: whole periods of a grain, and the days before and after them. */
export interface Pieces {
  readonly grain: Grain
  readonly before: Span
  readonly whole: Span
  readonly after: Span
}

export function piecesOf(startDate: string, endDate: string, kept: Kept): Pieces {
  const first = dayNumberOf(startDate)
  const last = dayNumberOf(endDate)
  const { grain, days } = coarsest(kept)
  const from = Math.ceil(first / days) * days
  const to = Math.floor((last + 1) / days) * days
  if (from >= to) return { grain, before: [first, last], whole: nothing, after: nothing }
  return { grain, before: [first, from - 1], whole: [from, to - 1], after: [to, last] }
}

const nothing: Span = [0, -1]

function coarsest({ week, repository, author }: Kept): { grain: Grain; days: number } {
  if (repository && author) return week ? { grain: 'day', days: 1 } : { grain: 'block', days: BLOCK_DAYS }
  if (repository) return { grain: 'repository', days: WEEK_DAYS }
  return author ? { grain: 'author', days: WEEK_DAYS } : { grain: 'total', days: WEEK_DAYS }
}
