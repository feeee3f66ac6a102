import {
  describeAction,
  findActionsOfTypes,
  getResourceTypeLabel,
  isKnownAction,
  isKnownResourceType,
} from '../../access/audit/catalogue.ts'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { type ActorFilter, type AuditFilters, countRows, readAppended, readNewest } from './page-sql.ts'
import { fallbackNames, renderEntry } from './render.ts'
import type { AuditLogsRequest } from './schema.ts'
import { type ActionCount, countPartialDay, findActors, readCounts } from './sql.ts'
import { type AuditWindow, toAuditWindow } from './window.ts'

const MAX_ACTORS = 1_000

type AuditLogsParams = { readonly query: AuditLogsRequest }

export async function listAuditLogs(context: RequestContext, { query }: AuditLogsParams): Promise<Reply> {
  const { scope, tx } = context
  const window = toAuditWindow(query)
  const { actions, warnings } = await selectActions(scope, tx, query)
  const filters: AuditFilters = {
    timeRange: window.hasDates ? window : null,
    actions,
    actors: query.search === undefined ? null : await findMatchingActors(scope, tx, query.search),
  }
  const page = await (query.cursor === undefined
    ? readNumberedPage(context, query, window, filters)
    : readAppendedPage(context, query, filters))
  return ok({ ...page, warnings })
}

/** For pollers: rows in write order, which is commit order, so that no row is skipped. */
async function readAppendedPage(
  { principal, scope, tx, page, now }: RequestContext,
  { page_size: size = 10 }: AuditLogsRequest,
  filters: AuditFilters,
) {
  const after = Number(page.after?.[0] ?? 0)
  const rows = await readAppended(scope, tx, filters, { after, size: size + 1 })
  const pageRows = rows.slice(0, size)
  const at = now()
  return {
    data: pageRows.map((row) => renderEntry(row, principal, at)),
    next_cursor: page.cursorAfter(pageRows.at(-1)?.position ?? after),
    has_more: rows.length > size,
  }
}

async function readNumberedPage(
  { principal, scope, tx, page: paging, now }: RequestContext,
  { page = 1, page_size: size = 10 }: AuditLogsRequest,
  window: AuditWindow,
  filters: AuditFilters,
) {
  const { actions, actors } = filters
  const [{ newest, rows }, counts, byActor] = await Promise.all([
    readNewest(scope, tx, filters, { skip: (page - 1) * size, size }),
    readWindowCounts(scope, tx, window),
    actors === null ? null : countRows(scope, tx, filters),
  ])
  const total =
    byActor ?? sumRows(actions === null ? counts : counts.filter(({ action }) => actions.includes(action)))
  const at = now()
  return {
    data: rows.map((row) => renderEntry(row, principal, at)),
    next_cursor: paging.cursorAfter(newest),
    pagination: {
      page,
      page_size: size,
      total_count: total,
      total_pages: Math.ceil(total / size),
      has_next_page: page * size < total,
      has_previous_page: page > 1,
    },
    filter_options: {
      actions: toFilterOptions(
        counts,
        ({ action }) => action,
        (value) => describeAction(value).label,
      ),
      resource_types: toFilterOptions(counts, ({ resource_type }) => resource_type, getResourceTypeLabel),
    },
  }
}

interface FilterWarning {
  readonly parameter: 'actions' | 'resource_types'
  readonly value: string
  readonly message: string
}

/** Null selects all actions. Names outside of the catalogue are known if a newer version has written rows of them. */
async function selectActions(
  scope: Scope,
  tx: Tx,
  { actions = [], resource_types: types = [] }: AuditLogsRequest,
): Promise<{ readonly actions: string[] | null; readonly warnings: readonly FilterWarning[] }> {
  const isInCatalogue = actions.every(isKnownAction) && types.every(isKnownResourceType)
  const stored = isInCatalogue ? [] : await readCounts(scope, tx, null)
  const unknownActions = actions.filter(
    (name) => !isKnownAction(name) && !stored.some(({ action }) => action === name),
  )
  const unknownTypes = types.filter(
    (name) => !isKnownResourceType(name) && !stored.some(({ resource_type }) => resource_type === name),
  )
  const warnings = [
    ...unknownActions.map((value) => toWarning('actions', value, 'an action')),
    ...unknownTypes.map((value) => toWarning('resource_types', value, 'a resource type')),
  ]
  const ofTypes = [
    ...findActionsOfTypes(types),
    ...stored.filter(({ resource_type }) => types.includes(resource_type)).map(({ action }) => action),
  ]
  if (types.length === 0) return { actions: actions.length === 0 ? null : [...new Set(actions)], warnings }
  const selected = ofTypes.filter((action) => actions.length === 0 || actions.includes(action))
  return { actions: [...new Set(selected)], warnings }
}

function toWarning(parameter: FilterWarning['parameter'], value: string, what: string): FilterWarning {
  const message =
    `"${value}" is not ${what} of the audit log, so it matches no row. Use a value of filter_options.${parameter}, which a ` +
    'request without cursor returns.'
  return { parameter, value, message }
}

async function findMatchingActors(scope: Scope, tx: Tx, search: string): Promise<ActorFilter> {
  const found = await findActors(scope, tx, search, fallbackNames, MAX_ACTORS + 1)
  if (found.length > MAX_ACTORS) {
    refuse(
      'INVALID_REQUEST',
      `search matches more than ${MAX_ACTORS} actors. Search for a longer part of the name.`,
    )
  }
  return {
    ids: found.flatMap(({ id }) => id ?? []),
    kinds: found.flatMap(({ id, kind }) => (id === null ? [kind] : [])),
  }
}

function readWindowCounts(scope: Scope, tx: Tx, window: AuditWindow): Promise<readonly ActionCount[]> {
  return window.hasDates ? readDayCounts(scope, tx, window) : readCounts(scope, tx, null)
}

async function readDayCounts(
  scope: Scope,
  tx: Tx,
  { wholeDays, partialDays }: AuditWindow,
): Promise<readonly ActionCount[]> {
  const parts = await Promise.all([
    wholeDays === null ? [] : readCounts(scope, tx, wholeDays),
    ...partialDays.map((partialDay) => countPartialDay(scope, tx, partialDay)),
  ])
  return parts.flat()
}

function toFilterOptions(
  counts: readonly ActionCount[],
  valueOf: (count: ActionCount) => string,
  labelOf: (value: string) => string,
) {
  return [...Map.groupBy(counts, valueOf)]
    .map(([value, group]) => ({ value, label: labelOf(value), count: sumRows(group) }))
    .sort((a, b) => (a.value < b.value ? -1 : 1))
}

function sumRows(counts: readonly ActionCount[]): number {
  return counts.reduce((sum, { rows }) => sum + rows, 0)
}
