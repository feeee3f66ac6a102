import assert from 'node:assert/strict'
import type { Rule } from './rule.ts'
import {
  assertInvalid,
  assertRefused,
  type List,
  lastYear,
  NotApplicableError,
  readableLists,
  repositoriesPath,
  requireAccess,
  requireLists,
  type Service,
} from './service.ts'

const repositoriesTemplate = '/v1/organizations/{organization_id}/repositories'
const windowPaths = ['review-comments', 'reviews', 'mcp', 'summary'].map((name) => `/v1/metrics/${name}`)

const notPlainDigits = [
  'limit=',
  'limit',
  'limit=1e1',
  'limit=1e3',
  'limit=%2B5',
  'limit=+5',
  'limit=05',
  'limit=00',
  'limit=5.0',
  'limit=5.',
  'limit=%205',
  'limit=5%20',
  'limit=5%0A',
  'limit=0x10',
  'limit=5n',
  'limit=1_0',
  'limit=five',
  'limit=null',
  'limit=true',
  'limit=Infinity',
  'limit=5,6',
  'limit=%D9%A5',
  'limit=%EF%BC%95',
  'limit=%22%35%22',
]

const unknownParameters = [
  'unknown=1',
  'limit=5&unknown=1',
  'page=1',
  'offset=0',
  'Limit=5',
  'limit[]=5',
  'limit%5B%5D=5',
  'limit%00=5',
  '__proto__=1',
  'constructor=1',
  'toString=1',
  '=1',
]

const noDays = [
  '2026-02-29',
  '2026-02-30',
  '2100-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-32',
  '0000-01-01',
  '10000-01-01',
  '2026-1-5',
  '20260105',
  '2026-01-05T00:00:00Z',
  'today',
  '',
]

export const shapeRules: readonly Rule[] = [
  {
    id: 'parameter-unknown',
    title: 'an unknown query parameter is 400 and never ignored, on every list',
    contract: ['P1-shape-1', 'S-rc-4'],
    async check(service) {
      for (const list of requireLists(service)) {
        await assertInvalid(service, list, unknownParameters)
        if (list.path.endsWith('/review-comments') || !list.path.startsWith('/v1/metrics/'))
          if (list.path !== '/v1/learnings' && list.path !== '/v1/security/scans/code')
            await assertInvalid(service, list, ['format=json', 'status=all'])
      }
    },
  },
  {
    id: 'parameter-repeated',
    title: 'a repeated parameter is 400, also when its values are equal, on every list',
    contract: ['P1-shape-5'],
    async check(service) {
      for (const list of requireLists(service)) {
        const repeated = ['limit=5&limit=5', 'limit=5&limit=6', 'limit=5&l%69mit=5', 'cursor=x&cursor=x']
        await assertInvalid(service, list, repeated)
      }
    },
  },
  {
    id: 'limit-bounds',
    title: 'a limit outside of the bounds of its list is 400, and both bounds are allowed',
    contract: ['S-rc-15', 'S-org-8', 'P8-2', 'P7-get-6'],
    async check(service) {
      for (const list of requireLists(service)) {
        const { maxLimit } = list
        const outside = [0, -1, maxLimit + 1, maxLimit * 1000, '99999999999999999999']
        await assertInvalid(
          service,
          list,
          outside.map((limit) => `limit=${limit}`),
        )
      }
      const [list] = requireLists(service)
      for (const limit of [1, list?.maxLimit]) {
        const reply = await service.call(`${list?.query}limit=${limit}`)
        assert.equal(reply.status, 200, `limit=${limit} ${reply.text.slice(0, 300)}`)
      }
    },
  },
  {
    id: 'limit-plain-digits',
    title: 'a limit that is not plain digits is 400: nothing is coerced, on every list',
    contract: ['P1-shape-3', 'P1-shape-4'],
    async check(service) {
      for (const list of requireLists(service)) await assertInvalid(service, list, notPlainDigits)
    },
  },
  {
    id: 'text-nul',
    title: 'NUL and lone surrogates in a parameter are 400, on every list',
    contract: ['P1-shape-11'],
    async check(service) {
      for (const list of requireLists(service)) {
        await assertInvalid(service, list, ['limit=%00', 'limit=5%00', 'limit=%ED%A0%80', '%ED%A0%80=1'])
        for (const value of ['%00', 'x%00', '%ED%A0%80', '%ED%B0%80x']) {
          const path = `${list.query}cursor=${value}`
          const reply = await service.call(path)
          // Refused as a text that no parameter may hold or as a cursor that is none: the contract allows both.
          const code = reply.text.includes('INVALID_REQUEST') ? 'INVALID_REQUEST' : 'INVALID_CURSOR'
          assertRefused(path, reply, 400, code)
        }
      }
    },
  },
  {
    id: 'list-parameter',
    title: 'a comma-separated list takes ten values, counted before duplicates are removed, and no empty one',
    contract: ['P1-shape-6', 'P1-shape-7', 'P1-shape-8', 'S-rc-11', 'S-rc-12'],
    async check(service) {
      const lists = withListParameters(service)
      const eleven = Array.from({ length: 11 }, (_, index) => index).join()
      const equal = Array.from({ length: 11 }, () => '7').join()
      for (const list of lists)
        for (const name of ['repository_ids', 'user_ids'])
          await assertInvalid(
            service,
            list,
            [eleven, equal, '', '1,', ',1', '1,,2', ','].map((value) => `${name}=${value}`),
          )
      const [list] = lists
      const ten = eleven.slice(0, -3)
      const reply = await service.call(`${list?.query}repository_ids=${ten}&limit=1`)
      assert.equal(reply.status, 200, `ten values ${reply.text.slice(0, 300)}`)
    },
  },
  {
    id: 'list-parameter-spaces',
    title: 'spaces around a value of a list are 400',
    contract: ['P11-lists-1'],
    async check(service) {
      const spaced = ['a,+b', '%20a', 'a%20', 'a,b%09', 'a%0A,b', '%C2%A0a', '+']
      for (const list of withListParameters(service))
        await assertInvalid(
          service,
          list,
          spaced.map((value) => `repository_ids=${value}`),
        )
    },
  },
  {
    id: 'date-calendar',
    title: 'a date is YYYY-MM-DD and a day of the calendar, in the years 0001 to 9999',
    contract: ['P1-shape-9', 'P11-dates-1', 'S-rc-9', 'S-rc-10'],
    async check(service) {
      for (const path of readableWindows(service))
        for (const day of noDays)
          for (const query of [
            `start_date=${day}&end_date=9999-12-31`,
            `start_date=0001-01-01&end_date=${day}`,
          ])
            assertRefused(
              path,
              await service.call(`${path}?${query}`),
              400,
              'INVALID_REQUEST',
              `${path}?${query}`,
            )
    },
  },
  {
    id: 'window-required',
    title: 'start_date and end_date are required, and end_date must not precede start_date',
    contract: ['S-rc-9', 'S-rc-10'],
    async check(service) {
      const { start, end } = lastYear()
      for (const path of readableWindows(service))
        for (const query of [
          '',
          `start_date=${start}`,
          `end_date=${end}`,
          `start_date=${end}&end_date=${start}`,
        ])
          assertRefused(
            path,
            await service.call(`${path}?${query}`),
            400,
            'INVALID_REQUEST',
            `${path}?${query}`,
          )
    },
  },
  {
    id: 'organization-id-uuid',
    title: 'an organization_id that is not a UUID is 400, an id of the Git provider too',
    contract: ['P8-5', 'S-what-15'],
    async check(service) {
      requireAccess(service, 'GET', repositoriesTemplate)
      const [organization] = service.self.organizations.first
      if (organization === undefined) throw new NotApplicableError('the key sees no organization')
      const { id, provider_organization_id } = organization
      for (const wrong of [
        'x',
        '1',
        'null',
        id.replaceAll('-', ''),
        `%7B${id}%7D`,
        `urn:uuid:${id}`,
        id.slice(0, -1),
        `${id}0`,
        `${id.slice(0, -1)}g`,
        `${id}%20`,
        `${id}%00`,
        'a'.repeat(200),
        encodeURIComponent(provider_organization_id),
      ]) {
        const path = repositoriesPath(wrong)
        assertRefused(path, await service.call(path), 400, 'INVALID_REQUEST')
      }
    },
  },
]

function withListParameters(service: Service): List[] {
  const lists = readableLists(service).filter(
    ({ path }) => path.startsWith('/v1/metrics/') || path === '/v1/learnings',
  )
  if (lists.length === 0) throw new NotApplicableError('the key may read neither metrics nor Learnings')
  return lists
}

function readableWindows(service: Service): string[] {
  const paths = windowPaths.filter((path) =>
    service.self.endpoints.some((one) => one.method === 'GET' && one.path === path && one.allowed),
  )
  if (paths.length === 0) throw new NotApplicableError('the key may not read metrics')
  return paths
}
