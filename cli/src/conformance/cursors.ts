import assert from 'node:assert/strict'
import type { Rule } from './rule.ts'
import {
  assertRefused,
  type List,
  NotApplicableError,
  organizationsPath,
  type Page,
  readableLists,
  readPage,
  requireLists,
  rowsOf,
  type Service,
} from './service.ts'

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

interface Started {
  readonly list: List
  readonly first: Page
  readonly cursor: string
}

/** The first pages of one row, of every list that goes on after it. Read once for all rules. */
const startedLists = new WeakMap<Service, Promise<Started[]>>()

function startLists(service: Service): Promise<Started[]> {
  const known = startedLists.get(service)
  if (known !== undefined) return known
  const reading = (async () => {
    const started: Started[] = []
    for (const list of requireLists(service)) {
      const first = await readPage(service, `${list.query}limit=1`)
      if (first.next_cursor !== null) started.push({ list, first, cursor: first.next_cursor })
    }
    return started
  })()
  startedLists.set(service, reading)
  return reading
}

async function requireStarted(service: Service, isWanted = (_started: Started) => true): Promise<Started[]> {
  const started = (await startLists(service)).filter(isWanted)
  if (started.length === 0) throw new NotApplicableError('no such list has two rows that the key can read')
  return started
}

async function assertInvalidCursor(service: Service, query: string, cursor: string): Promise<void> {
  const path = `${query}cursor=${encodeURIComponent(cursor)}`
  assertRefused(path, await service.call(path), 400, 'INVALID_CURSOR')
}

export const cursorRules: readonly Rule[] = [
  {
    id: 'page-shape',
    title: 'a page has its list of rows and next_cursor, which is a non-empty string or null',
    contract: ['P1-lists-1', 'S-rc-17'],
    async check(service) {
      for (const list of requireLists(service)) {
        const page = await readPage(service, `${list.query}limit=2`)
        assert.ok(rowsOf(page, list).length <= 2, `${list.path} returns more rows than limit`)
        const { next_cursor: cursor } = page
        assert.ok(
          cursor === null || (typeof cursor === 'string' && cursor !== ''),
          `${list.path} next_cursor`,
        )
        if (list.rows === 'data')
          assert.deepEqual(Object.keys(page).sort(), ['data', 'next_cursor'], list.path)
      }
    },
  },
  {
    id: 'paging-complete',
    title: 'pages give every row once, in the order of one large page',
    contract: ['S-rc-16', 'S-org-11', 'P1-lists-4'],
    async check(service) {
      for (const { list, first, cursor } of await requireStarted(service)) {
        const whole = rowsOf(await readPage(service, `${list.query}limit=3`), list)
        const rows = rowsOf(first, list)
        let next: string | null = cursor
        while (next !== null && rows.length < whole.length) {
          const page: Page = await readPage(
            service,
            `${list.query}limit=1&cursor=${encodeURIComponent(next)}`,
          )
          rows.push(...rowsOf(page, list))
          next = page.next_cursor
        }
        assert.deepEqual(rows, whole, list.path)
        const texts = whole.map((row) => JSON.stringify(row))
        assert.equal(new Set(texts).size, texts.length, `${list.path} repeats a row`)
      }
    },
  },
  {
    id: 'cursor-reusable',
    title: 'a cursor can be used again and gives the same page',
    contract: ['P1-cursor-4'],
    async check(service) {
      const [started] = await requireStarted(service)
      if (started === undefined) return
      const path = `${started.list.query}limit=1&cursor=${encodeURIComponent(started.cursor)}`
      const once = rowsOf(await readPage(service, path), started.list)
      assert.deepEqual(rowsOf(await readPage(service, path), started.list), once)
      assert.notDeepEqual(once, rowsOf(started.first, started.list), 'the cursor does not go on')
    },
  },
  {
    id: 'cursor-made-up',
    title: 'an empty or made-up cursor is 400 INVALID_CURSOR, on every list',
    contract: ['P1-cursor-1', 'P1-cursor-11', 'P1-cursor-12', 'P1-code-2'],
    async check(service) {
      for (const { query } of requireLists(service)) {
        const made = ['', 'x', 'null', '0', '{}', 'A'.repeat(64), 'A'.repeat(4000), 'ü', 'e30.e30.e30']
        for (const cursor of made) await assertInvalidCursor(service, query, cursor)
        assertRefused(query, await service.call(`${query}cursor`), 400, 'INVALID_CURSOR')
      }
    },
  },
  {
    id: 'cursor-altered',
    title: 'a cursor that is altered at any position, cut, lengthened or recased is 400 INVALID_CURSOR',
    contract: ['P1-cursor-1', 'P1-cursor-2'],
    async check(service) {
      for (const [index, { list, cursor }] of (await requireStarted(service)).entries()) {
        const altered = [
          cursor.slice(0, -1),
          cursor.slice(1),
          cursor.slice(0, cursor.length / 2),
          `${cursor}A`,
          `${cursor}=`,
          ` ${cursor}`,
          `${cursor} `,
          cursor + cursor,
          cursor.toLowerCase(),
          cursor.toUpperCase(),
          // Every position of one cursor: the others are made by the same code.
          ...(index === 0 ? alterEverywhere(cursor) : [substitute(cursor, 0), substitute(cursor, 20)]),
        ]
        for (const other of altered) await assertInvalidCursor(service, list.query, other)
      }
    },
  },
  {
    id: 'cursor-other-endpoint',
    title: 'a cursor of another endpoint is 400 INVALID_CURSOR',
    contract: ['P1-cursor-6'],
    async check(service) {
      const lists = readableLists(service)
      if (lists.length < 2) throw new NotApplicableError('the key may read one list only')
      for (const { list, cursor } of await requireStarted(service))
        for (const other of lists.filter(({ path }) => path !== list.path))
          await assertInvalidCursor(service, other.query, cursor)
    },
  },
  {
    id: 'cursor-other-filter',
    title: 'a cursor with other filters or another window is 400 INVALID_CURSOR',
    contract: ['P1-cursor-8', 'P1-cursor-13', 'S-rc-16'],
    async check(service) {
      for (const { list, cursor } of await requireStarted(
        service,
        ({ list: one }) => one.otherFilter !== null,
      )) {
        await assertInvalidCursor(service, `${list.query}${list.otherFilter}&`, cursor)
        const otherWindow = list.query.replace(/start_date=[\d-]+/, 'start_date=0001-01-01')
        if (otherWindow !== list.query) await assertInvalidCursor(service, otherWindow, cursor)
      }
    },
  },
  {
    id: 'cursor-keeps-limit',
    title:
      'a cursor of organizations or repositories keeps the page size; another limit is 400 INVALID_CURSOR',
    contract: ['P1-cursor-10', 'S-org-12', 'S-org-13'],
    async check(service) {
      for (const { list, cursor } of await requireStarted(service, ({ list: one }) => one.keepsLimit)) {
        const query = `${list.query}cursor=${encodeURIComponent(cursor)}`
        const page = await readPage(service, query)
        assert.equal(rowsOf(page, list).length, 1, `${list.path} does not keep the page size`)
        assert.deepEqual(await readPage(service, `${query}&limit=1`), page, list.path)
        for (const limit of [2, 3, 100])
          await assertInvalidCursor(service, `${list.query}limit=${limit}&`, cursor)
      }
    },
  },
  {
    id: 'cursor-limit-may-change',
    title: 'on other lists the limit may change from page to page',
    contract: ['P1-cursor-10'],
    async check(service) {
      const [started] = await requireStarted(service, ({ list }) => !list.keepsLimit)
      if (started === undefined) return
      const { list, cursor } = started
      const query = `${list.query}cursor=${encodeURIComponent(cursor)}`
      const [one, two] = [
        await readPage(service, `${query}&limit=1`),
        await readPage(service, `${query}&limit=2`),
      ]
      assert.deepEqual(rowsOf(two, list).slice(0, 1), rowsOf(one, list), list.path)
    },
  },
  {
    id: 'inventory-order',
    title: 'organizations come in the order of their id',
    contract: ['P1-lists-2'],
    async check(service) {
      const list = requireLists(service).find(({ path }) => path === organizationsPath)
      if (list === undefined) throw new NotApplicableError('the key may not list organizations')
      const rows = rowsOf(await readPage(service, list.query), list) as { id: string }[]
      const ids = rows.map(({ id }) => id)
      assert.deepEqual(ids, ids.toSorted())
    },
  },
]

function alterEverywhere(cursor: string): string[] {
  return [
    ...Array.from(cursor, (_, position) => substitute(cursor, position)),
    // The last base64 character can carry unused bits, so another spelling may decode to the same bytes.
    ...Array.from(base64url.replace(cursor.slice(-1), ''), (last) => cursor.slice(0, -1) + last),
  ]
}

function substitute(cursor: string, position: number): string {
  const replacement = cursor[position] === 'A' ? 'B' : 'A'
  return cursor.slice(0, position) + replacement + cursor.slice(position + 1)
}
