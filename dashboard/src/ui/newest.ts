import { type UseQueryOptions, type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { countDays, type Period, shiftDay } from './period.ts'

const FIRST_SLICE_DAYS = 14
const STEP = 50
/** Rows that are read without a press of the button while nothing matches. */
const MAX_UNASKED = 5000

interface NewestOptions<Item> {
  readonly period: Period
  /** Reads every row of these days, the newest first. */
  readonly sliceQuery: (slice: Period) => UseQueryOptions<readonly Item[]>
  readonly matches?: (item: Item) => boolean
}

interface Newest<Item> {
  readonly query: Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** The newest that match, as many as are shown. */
  readonly shown: readonly Item[]
  /** How many of those that were read match. */
  readonly matching: number
  /** The first day of those that were read; null if all were. */
  readonly readSince: string | null
  /** Null if everything is shown. */
  readonly showMore: (() => void) | null
}

/**
 * A list of a window of days, the newest first. The API pages in write order, so the window is read in slices, the latest days
 * first: each is longer than the one after it, and is read when what was read before has too few rows that match.
 */
export function useNewest<Item>(options: NewestOptions<Item>): Newest<Item> {
  const { period, sliceQuery, matches = () => true } = options
  const queries = useQueryClient()
  const [steps, setSteps] = useState(1)
  const wanted = steps * STEP
  const slices = sliceDays(period)
  const read: Item[] = []
  let count = 0
  do {
    const slice = slices[count++]
    const items = slice && queries.getQueryData<readonly Item[]>(sliceQuery(slice).queryKey)
    if (items === undefined) break
    for (const item of items) read.push(item)
  } while (count < slices.length && read.length < steps * MAX_UNASKED && read.filter(matches).length < wanted)
  const results = useQueries({ queries: slices.slice(0, count).map((slice) => sliceQuery(slice)) })
  const matching = read.filter(matches)
  const isAll = count === slices.length
  return {
    query: joinResults(results),
    shown: matching.slice(0, wanted),
    matching: matching.length,
    readSince: isAll ? null : (slices[count - 1]?.start_date ?? null),
    showMore: isAll && matching.length <= wanted ? null : () => setSteps(steps + 1),
  }
}

/** The state of all slices. The first one is enough to show something. */
function joinResults(results: readonly UseQueryResult[]): Newest<unknown>['query'] {
  const [first] = results
  if (first === undefined) throw new Error('A window has at least one day.')
  const failed = results.find(({ error }) => error !== null)
  return {
    data: first.data,
    error: failed?.error ?? null,
    isFetching: results.some(({ isFetching }) => isFetching),
    refetch: (failed ?? first).refetch,
  }
}

/** The last two weeks of the window, the four weeks before them, and so on. */
export function sliceDays(period: Period): Period[] {
  const slices: Period[] = []
  let { end_date } = period
  for (let days = FIRST_SLICE_DAYS; end_date >= period.start_date; days *= 2) {
    const start_date =
      countDays({ ...period, end_date }) <= days ? period.start_date : shiftDay(end_date, 1 - days)
    slices.push({ start_date, end_date })
    end_date = shiftDay(start_date, -1)
  }
  return slices
}
