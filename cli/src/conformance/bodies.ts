// Rules of request bodies, on the one endpoint that has a body and changes nothing.
import type { Reply } from './http.ts'
import type { Rule } from './rule.ts'
import { assertRefused, requireAccess, type Service } from './service.ts'

const path = '/v1/review-context'
const json = 'application/json'

function post(service: Service, body: string | Uint8Array<ArrayBuffer>, type = json): Promise<Reply> {
  requireAccess(service, 'POST', path)
  return service.call(path, { method: 'POST', headers: { 'content-type': type }, body })
}

export const bodyRules: readonly Rule[] = [
  {
    id: 'body-json',
    title: 'a body that is not JSON is 400',
    contract: ['P1-bodies-3'],
    async check(service) {
      for (const body of [
        '{',
        '',
        'x',
        '{"text":"a",}',
        "{'text':'a'}",
        '{"text":"a"}{}',
        '[]',
        'null',
        '"a"',
      ])
        assertRefused(path, await post(service, body), 400, 'INVALID_REQUEST', `the body ${body}`)
    },
  },
  {
    id: 'body-type',
    title: 'a content type other than JSON is 415',
    contract: ['P1-bodies-2', 'P1-code-25'],
    async check(service) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'text/json'])
        assertRefused(path, await post(service, '{}', type), 415, 'UNSUPPORTED_MEDIA_TYPE', type)
    },
  },
  {
    id: 'body-size',
    title: 'a body of more than 4 MiB is 413 PAYLOAD_TOO_LARGE',
    contract: ['P1-bodies-1', 'P1-code-24'],
    async check(service) {
      const reply = await post(service, JSON.stringify({ text: 'x'.repeat(4 * 1024 ** 2) }))
      assertRefused(path, reply, 413, 'PAYLOAD_TOO_LARGE')
    },
  },
  {
    id: 'body-unknown-field',
    title: 'an unknown field of a body is 400, and nothing is coerced',
    contract: ['P1-shape-2', 'P1-shape-3'],
    async check(service) {
      for (const body of [
        { repository_id: 'a', text: 'b', unknown: 1 },
        { repository_id: 'a', text: 'b', k: '5' },
        { repository_id: 'a', text: 'b', k: 5.5 },
        { repository_id: 1, text: 'b' },
        { repository_id: 'a', text: null },
      ])
        assertRefused(
          path,
          await post(service, JSON.stringify(body)),
          400,
          'INVALID_REQUEST',
          JSON.stringify(body),
        )
    },
  },
  {
    id: 'body-nesting',
    title: 'nesting deeper than 64 is 400, and so are NUL and lone surrogates',
    contract: ['P1-shape-11', 'P1-shape-12'],
    async check(service) {
      const deep = `{"repository_id":"a","text":${'['.repeat(65)}${']'.repeat(65)}}`
      for (const body of [
        deep,
        '{"repository_id":"a","text":"\\u0000"}',
        '{"repository_id":"a","text":"\\ud800"}',
      ])
        assertRefused(path, await post(service, body), 400, 'INVALID_REQUEST', body.slice(0, 60))
    },
  },
]
