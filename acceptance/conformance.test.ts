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

test('a request without a key is 401 UNAUTHORIZED, on every endpoint that reads [S-end-1 S-auth-1 S-auth-2 P1-code-5]', () =>
  holds('key-required'))
test('an empty, malformed or altered key is the same 401 as no key [S-auth-1 P2-format-2 P2-format-9]', () =>
  holds('key-malformed'))
test('a key with the prefix of another kind is the same 401 as no key [P2-format-1 P2-format-9]', () =>
  holds('key-of-another-kind'))
test('a key counts only in the x-service-api-key header [S-auth-1 P1-header-1]', () =>
  holds('key-header-only'))
test('a key may ask what it is, and the response never has its value [P2-kinds-12 P9-1 P9-5]', () =>
  holds('keys-self'))
test('keys/self reports for each reading endpoint what the endpoint returns [S-auth-19 P2-perm-1 P9-5]', () =>
  holds('keys-self-agrees'))
test('an error is a JSON object error with exactly code and message [P1-errors-1 P1-code-1 P1-code-5 P1-code-16]', () =>
  holds('error-body'))
test('an error of a Learnings endpoint is a JSON array errors of objects with exactly code and message [P1-errors-2]', () =>
  holds('error-body-learnings'))
test('an unknown path is 404 NOT_FOUND, with a key and without, for every method [S-version-1 P1-code-16]', () =>
  holds('unknown-path'))
test('a method that a path does not serve is 405 METHOD_NOT_ALLOWED with the allowed ones [P1-code-18]', () =>
  holds('method-not-allowed'))
test('a body does not turn a 405 into another refusal [P1-code-18]', () => holds('method-before-body'))
test('a path that cannot be decoded is 400 in the same error shape [P1-shape-3 P1-errors-1 P8-5]', () =>
  holds('path-encoding'))
test('a trailing slash is 404 with the right path in the message [P11-slash-1]', () =>
  holds('trailing-slash'))
test('every response carries an x-request-id of 1 to 128 allowed characters [P1-reqid-1]', () =>
  holds('request-id-present'))
test('an allowed x-request-id of the caller is taken over, on every response [P1-reqid-2]', () =>
  holds('request-id-of-caller'))
test('any other x-request-id of the caller is replaced, and no two requests get the same one [P1-reqid-1 P1-reqid-2]', () =>
  holds('request-id-replaced'))
test('the key is checked first: no key or a bad one is 401 whatever else is wrong [P1-order-1]', () =>
  holds('order-key-first'))
test('the kind of key is checked before the shape: a refused kind stays refused whatever else is wrong [P1-order-2 P1-order-4]', () =>
  holds('order-kind-before-shape'))
test('the shape is checked before the organization: a bad limit on an unknown UUID is 400 [P1-order-4 P1-order-5]', () =>
  holds('order-shape-before-organization'))
test('the shape is checked before plan and permission: a bad query is 400, not 402 or 403 [P1-order-4 P1-order-6 P1-order-7]', () =>
  holds('order-shape-before-plan'))
test('an organization that the key cannot see is 404 ORGANIZATION_NOT_FOUND, the same for every UUID [P1-exist-1 P1-code-17 P8-4]', () =>
  holds('existence-organization'))
test('an org_id that a workspace token does not know is 404 ORGANIZATION_NOT_FOUND; other keys ignore it [S-rc-8 S-auth-21 P11-orgid-1]', () =>
  holds('existence-org-id'))
test('an unknown query parameter is 400 and never ignored, on every list [S-rc-4 S-err-1 P1-shape-1 P1-shape-3 P1-code-1]', () =>
  holds('parameter-unknown'))
test('a repeated parameter is 400, also when its values are equal, on every list [P1-shape-5 P1-code-1]', () =>
  holds('parameter-repeated'))
test('a limit outside of the bounds of its list is 400, and both bounds are allowed [S-rc-15 S-org-8 S-err-1 S-limit-1 S-limit-8 P1-shape-4 P1-code-1 P7-get-6 P8-2]', () =>
  holds('limit-bounds'))
test('a limit that is not plain digits is 400: nothing is coerced, on every list [S-rc-15 S-err-1 P1-shape-3 P1-shape-4 P1-code-1]', () =>
  holds('limit-plain-digits'))
test('NUL and lone surrogates in a parameter are 400, on every list [P1-shape-11]', () => holds('text-nul'))
test('a comma-separated list takes ten values, counted before duplicates are removed, and no empty one [S-rc-11 S-rc-12 S-err-1 S-limit-2 P1-shape-6 P1-shape-7 P1-shape-8]', () =>
  holds('list-parameter'))
test('spaces around a value of a list are 400 [P11-lists-1]', () => holds('list-parameter-spaces'))
test('a date is YYYY-MM-DD and a day of the calendar, in the years 0001 to 9999 [S-rc-9 S-rc-10 S-err-1 P1-shape-9 P11-dates-1]', () =>
  holds('date-calendar'))
test('start_date and end_date are required, and end_date must not precede start_date [S-rc-9 S-rc-10]', () =>
  holds('window-required'))
test('an organization_id that is not a UUID is 400, an id of the Git provider too [S-what-15 S-orgrec-4 S-repo-2 P1-shape-11 P8-5]', () =>
  holds('organization-id-uuid'))
test('a body that is not JSON is 400 [P1-bodies-3]', () => holds('body-json'))
test('a content type other than JSON is 415 [P1-bodies-2 P1-code-25]', () => holds('body-type'))
test('a body of more than 4 MiB is 413 PAYLOAD_TOO_LARGE [P1-bodies-1 P1-code-24]', () => holds('body-size'))
test('an unknown field of a body is 400, and nothing is coerced [P1-shape-2 P1-shape-3]', () =>
  holds('body-unknown-field'))
test('nesting deeper than 64 is 400, and so are NUL and lone surrogates [P1-shape-11 P1-shape-12]', () =>
  holds('body-nesting'))
test('a page has its list of rows and next_cursor, which is a non-empty string or null [S-rc-17 P1-lists-1]', () =>
  holds('page-shape'))
test('pages give every row once, in the order of one large page [S-rc-16 S-org-11 P1-lists-4]', () =>
  holds('paging-complete'))
test('a cursor can be used again and gives the same page [P1-cursor-4]', () => holds('cursor-reusable'))
test('an empty or made-up cursor is 400 INVALID_CURSOR, on every list [S-err-1 P1-cursor-1 P1-cursor-11 P1-cursor-12 P1-code-2]', () =>
  holds('cursor-made-up'))
test('a cursor that is altered at any position, cut, lengthened or recased is 400 INVALID_CURSOR [P1-cursor-1 P1-cursor-2]', () =>
  holds('cursor-altered'))
test('a cursor of another endpoint is 400 INVALID_CURSOR [P1-cursor-6 P1-cursor-12]', () =>
  holds('cursor-other-endpoint'))
test('a cursor with other filters or another window is 400 INVALID_CURSOR [S-rc-16 P1-cursor-8 P1-cursor-13]', () =>
  holds('cursor-other-filter'))
test('a cursor of organizations or repositories keeps the page size; another limit is 400 INVALID_CURSOR [S-org-12 S-org-13 P1-cursor-10 P8-2]', () =>
  holds('cursor-keeps-limit'))
test('on other lists the limit may change from page to page [P1-cursor-10]', () =>
  holds('cursor-limit-may-change'))
test('organizations come in the order of their id [P1-lists-2]', () => holds('inventory-order'))
test('an entry of review-comments has exactly the fields and values of the contract, and no comment text [S-what-5 S-entry-2 S-entry-7 S-comment-2 S-comment-3]', () =>
  holds('entry-shape'))
test('the window selects by day of the merge, both days included [S-rc-1 P1-shape-10]', () =>
  holds('window-inclusive'))
test('with Accept application/x-ndjson each entry is a line, and the last line is next_cursor [P5-ndjson-1]', () =>
  holds('ndjson-lines'))
test('a request for NDJSON is refused in JSON, with the same codes [P5-ndjson-1]', () =>
  holds('ndjson-refused-in-json'))
test('no cell of a CSV begins with a character that makes a spreadsheet run it [P7-get-10]', () =>
  holds('csv-formula-guard'))
test('a CSV has one line for each row of the JSON page and a file name [P5-reviews-6 P7-get-7 P11-csv-1]', () =>
  holds('csv-rows'))
test('HEAD is answered and checked like GET, without a body [P11-head-1]', () => holds('head-like-get'))
test('a response is compressed if the caller accepts gzip, and is the same inflated [P11-gzip-1]', () =>
  holds('gzip-same'))
test('every time of a response is YYYY-MM-DDTHH:MM:SS.sssZ [P1-times-1]', () => holds('time-format'))
// With one key: other files expect the windows of their tenants to be unused.
test('RateLimit-Policy and RateLimit are on limited endpoints and agree [P1-limit-6]', () =>
  holds('rate-limit-headers', strict(), ['metrics_off']))
test('the interface document is served and has version 1.0.0 [S-version-2 P1-header-3]', () =>
  holds('interface-version'))
test('the same content again is a duplicate with the same id, and the export has it once [S-learning-1 S-lpost-6 S-lpost-10]', () =>
  holds('learning-identity'))
test('a repeated DELETE is 204, refuses a body, and the Learning is gone [P7-patch-5 P11-delete-1]', () =>
  holds('learning-delete'))
test('an invalid item fails with INVALID_ITEM while the batch is 200 and the others are created [S-lpost-6 S-lpost-7 P7-post-2 P7-post-6]', () =>
  holds('learning-items'))
test('a batch has 1 to 100 items: none and 101 are 400, and nothing is written [S-lpost-1 S-lpost-3]', () =>
  holds('learning-batch-size'))
test('recognized credentials are removed from a text before it is stored [S-learning-3 S-lpost-9]', () =>
  holds('learning-redaction'))
test('a text that a spreadsheet would run gets a leading quote in CSV, and only there [P7-get-10]', () =>
  holds('learning-csv-guard'))
test('a dry run has the results of the real one and writes nothing [P11-dry-run-1]', () => holds('dry-run'))
test('the same request with the same Idempotency-Key returns the first answer [P1-idem-1 P1-idem-4]', () =>
  holds('idempotency-replay'))
test('another request with a used Idempotency-Key is 409, and a key of 256 characters is 400 [P1-idem-1 P1-idem-5 P1-code-21]', () =>
  holds('idempotency-reused'))
