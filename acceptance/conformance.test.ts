// Runs every rule of `scholiast conformance` with every kind of key. The rules are in cli/src/conformance/.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rules } from '../cli/src/conformance/rules.ts'
import { NotApplicableError, openService, type Service } from '../cli/src/conformance/service.ts'
import { demo, type KeyName } from './service.ts'
import { strict } from './windows.ts'

const keyNames: readonly KeyName[] = [
  'organization',
  'user',
  'workspace',
  'instance',
  'legacy',
  'agentic',
  'lower_plan',
  'metrics_off',
  'instance_narrow',
  'other_tenant',
]
const services = new Map<string, Promise<Service>>()

/** With every named key that the rule applies to, at least one. */
async function holds(id: string, url = demo.base_url, names = keyNames): Promise<void> {
  const rule = rules.find((one) => one.id === id)
  assert.ok(rule !== undefined, `there is no rule ${id}`)
  const outcomes = await Promise.all(
    names.map(async (name) => {
      const service = services.get(`${url} ${name}`) ?? openService({ url, key: demo.keys[name] })
      services.set(`${url} ${name}`, service)
      try {
        await rule.check(await service)
        return 'passed'
      } catch (error) {
        if (error instanceof NotApplicableError) return error.message
        throw new Error(`${id} with the ${name} key`, { cause: error })
      }
    }),
  )
  assert.ok(outcomes.includes('passed'), `${id} applies to no key: ${outcomes.join('; ')}`)
}

test('a request without a key is 401 UNAUTHORIZED, on every endpoint that reads', () => holds('key-required'))
test('an empty, malformed or altered key is the same 401 as no key', () => holds('key-malformed'))
test('a key with the prefix of another kind is the same 401 as no key', () => holds('key-of-another-kind'))
test('a key counts only in the x-service-api-key header', () => holds('key-header-only'))
test('a key may ask what it is, and the response never has its value', () => holds('keys-self'))
test('keys/self reports for each reading endpoint what the endpoint returns', () => holds('keys-self-agrees'))
test('an error is a JSON object error with exactly code and message', () => holds('error-body'))
test('an error of a Learnings endpoint is a JSON array errors of objects with exactly code and message', () =>
  holds('error-body-learnings'))
test('an unknown path is 404 NOT_FOUND, with a key and without, for every method', () =>
  holds('unknown-path'))
test('a method that a path does not serve is 405 METHOD_NOT_ALLOWED with the allowed ones', () =>
  holds('method-not-allowed'))
test('a body does not turn a 405 into another refusal', () => holds('method-before-body'))
test('a path that cannot be decoded is 400 in the same error shape', () => holds('path-encoding'))
test('a trailing slash is 404 with the right path in the message', () => holds('trailing-slash'))
test('every response carries an x-request-id of 1 to 128 allowed characters', () =>
  holds('request-id-present'))
test('an allowed x-request-id of the caller is taken over, on every response', () =>
  holds('request-id-of-caller'))
test('any other x-request-id of the caller is replaced, and no two requests get the same one', () =>
  holds('request-id-replaced'))
test('the key is checked first: no key or a bad one is 401 whatever else is wrong', () =>
  holds('order-key-first'))
test('the kind of key is checked before the shape: a refused kind stays refused whatever else is wrong', () =>
  holds('order-kind-before-shape'))
test('the shape is checked before the organization: a bad limit on an unknown UUID is 400', () =>
  holds('order-shape-before-organization'))
test('the shape is checked before plan and permission: a bad query is 400, not 402 or 403', () =>
  holds('order-shape-before-plan'))
test('an organization that the key cannot see is 404 ORGANIZATION_NOT_FOUND, the same for every UUID', () =>
  holds('existence-organization'))
test('an org_id that a workspace token does not know is 404 ORGANIZATION_NOT_FOUND; other keys ignore it', () =>
  holds('existence-org-id'))
test('an unknown query parameter is 400 and never ignored, on every list', () => holds('parameter-unknown'))
test('a repeated parameter is 400, also when its values are equal, on every list', () =>
  holds('parameter-repeated'))
test('a limit outside of the bounds of its list is 400, and both bounds are allowed', () =>
  holds('limit-bounds'))
test('a limit that is not plain digits is 400: nothing is coerced, on every list', () =>
  holds('limit-plain-digits'))
test('NUL and lone surrogates in a parameter are 400, on every list', () => holds('text-nul'))
test('a comma-separated list takes ten values, counted before duplicates are removed, and no empty one', () =>
  holds('list-parameter'))
test('spaces around a value of a list are 400', () => holds('list-parameter-spaces'))
test('a date is YYYY-MM-DD and a day of the calendar, in the years 0001 to 9999', () =>
  holds('date-calendar'))
test('start_date and end_date are required, and end_date must not precede start_date', () =>
  holds('window-required'))
test('an organization_id that is not a UUID is 400, an id of the Git provider too', () =>
  holds('organization-id-uuid'))
test('a body that is not JSON is 400', () => holds('body-json'))
test('a content type other than JSON is 415', () => holds('body-type'))
test('a body of more than 4 MiB is 413 PAYLOAD_TOO_LARGE', () => holds('body-size'))
test('an unknown field of a body is 400, and nothing is coerced', () => holds('body-unknown-field'))
test('nesting deeper than 64 is 400, and so are NUL and lone surrogates', () => holds('body-nesting'))
test('a page has its list of rows and next_cursor, which is a non-empty string or null', () =>
  holds('page-shape'))
test('pages give every row once, in the order of one large page', () => holds('paging-complete'))
test('a cursor can be used again and gives the same page', () => holds('cursor-reusable'))
test('an empty or made-up cursor is 400 INVALID_CURSOR, on every list', () => holds('cursor-made-up'))
test('a cursor that is altered at any position, cut, lengthened or recased is 400 INVALID_CURSOR', () =>
  holds('cursor-altered'))
test('a cursor of another endpoint is 400 INVALID_CURSOR', () => holds('cursor-other-endpoint'))
test('a cursor with other filters or another window is 400 INVALID_CURSOR', () =>
  holds('cursor-other-filter'))
test('a cursor of organizations or repositories keeps the page size; another limit is 400 INVALID_CURSOR', () =>
  holds('cursor-keeps-limit'))
test('on other lists the limit may change from page to page', () => holds('cursor-limit-may-change'))
test('organizations come in the order of their id', () => holds('inventory-order'))
test('an entry of review-comments has exactly the fields and values of the contract, and no comment text', () =>
  holds('entry-shape'))
test('the window selects by day of the merge, both days included', () => holds('window-inclusive'))
test('with Accept application/x-ndjson each entry is a line, and the last line is next_cursor', () =>
  holds('ndjson-lines'))
test('a request for NDJSON is refused in JSON, with the same codes', () => holds('ndjson-refused-in-json'))
test('no cell of a CSV begins with a character that makes a spreadsheet run it', () =>
  holds('csv-formula-guard'))
test('a CSV has one line for each row of the JSON page and a file name', () => holds('csv-rows'))
test('HEAD is answered and checked like GET, without a body', () => holds('head-like-get'))
test('a response is compressed if the caller accepts gzip, and is the same inflated', () =>
  holds('gzip-same'))
test('every time of a response is YYYY-MM-DDTHH:MM:SS.sssZ', () => holds('time-format'))
// With one key: other files expect the windows of their tenants to be unused.
test('RateLimit-Policy and RateLimit are on limited endpoints and agree', () =>
  holds('rate-limit-headers', strict(), ['metrics_off']))
test('the interface document is served and has version 1.0.0', () => holds('interface-version'))
test('the same content again is a duplicate with the same id, and the export has it once', () =>
  holds('learning-identity'))
test('a repeated DELETE is 204, refuses a body, and the Learning is gone', () => holds('learning-delete'))
test('an invalid item fails with INVALID_ITEM while the batch is 200 and the others are created', () =>
  holds('learning-items'))
test('a batch has 1 to 100 items: none and 101 are 400, and nothing is written', () =>
  holds('learning-batch-size'))
test('recognized credentials are removed from a text before it is stored', () => holds('learning-redaction'))
test('a text that a spreadsheet would run gets a leading quote in CSV, and only there', () =>
  holds('learning-csv-guard'))
test('a dry run has the results of the real one and writes nothing', () => holds('dry-run'))
test('the same request with the same Idempotency-Key returns the first answer', () =>
  holds('idempotency-replay'))
test('another request with a used Idempotency-Key is 409, and a key of 256 characters is 400', () =>
  holds('idempotency-reused'))
