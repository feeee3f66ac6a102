import type { Backfill } from './access/backfill.ts'

/** Run by the worker and by `database backfill`. One is listed from the release that needs it to the one that contracts. */
export const backfills: readonly Backfill[] = []
