import type { DiffRow } from '../shapes.ts'

export const deliveryDiffs: readonly DiffRow[] = [
  {
    relevant: ['retry-4xx-never'],
    files: ['lib/http/client.ts'],
    diff: `@@ -28,6 +28,6 @@ export async function request(url: string, options: Options) {
   for (let attempt = 1; attempt <= 4; attempt++) {
     const response = await fetch(url, options)
-    if (response.ok || response.status === 404) return response
+    if (response.ok) return response
     await pause(attempt)
   }
   throw new Error('gave up')`,
  },
  {
    relevant: ['timeout-every-call'],
    files: ['billing/vat.py'],
    diff: `@@ -10,1 +10,5 @@ def check_vat_number(number: str) -> bool:
-    return local_check(number)
+    response = requests.get(
+        "https://vies.example/check",
+        params={"number": number},
+    )
+    return response.json()["valid"]`,
  },
  {
    relevant: ['limit-before-work'],
    files: ['gateway/src/pipeline.ts'],
    diff: `@@ -11,7 +11,7 @@ export const pipeline = [
   assignRequestId,
-  checkAllowance,
   readBody,
   parseJson,
   loadAccount,
+  checkAllowance,
   route,
 ]`,
  },
  {
    relevant: ['log-no-secrets'],
    files: ['server/src/http/trace-requests.ts'],
    diff: `@@ -6,4 +6,7 @@ export function traceRequests(app: App, logger: Logger) {
   app.addHook('onRequest', async (request) => {
-    logger.info({ route: request.routePath }, 'request')
+    logger.debug(
+      { route: request.routePath, headers: request.headers, cookies: request.cookies },
+      'request',
+    )
   })
 }`,
  },
  {
    relevant: ['log-no-console'],
    files: ['server/src/payments/capture.ts'],
    diff: `@@ -19,4 +19,5 @@ export async function capture(payment: Payment) {
   const result = await provider.capture(payment.reference)
+  console.log('captured', payment.id, result.status)
   if (result.status !== 'succeeded') throw new CaptureFailed(payment.id)
   return result
 }`,
  },
  {
    relevant: ['log-exception-object', 'log-stable-message'],
    files: ['worker/src/run-job.ts'],
    diff: `@@ -30,6 +30,6 @@ async function runJob(job: Job, logger: Logger) {
   try {
     await handlers[job.kind](job)
   } catch (error) {
-    logger.error({ err: error, jobId: job.id }, 'job failed')
+    logger.error('job ' + job.id + ' failed: ' + String(error))
     throw error
   }`,
  },
  {
    relevant: ['metric-cardinality'],
    files: ['server/src/http/measure.ts'],
    diff: `@@ -14,6 +14,7 @@ export function measure(request: Request, reply: Reply) {
   requests.inc({
     method: request.method,
-    route: request.routePath,
+    path: request.url,
+    user: request.userId,
     status: reply.statusCode,
   })
 }`,
  },
  {
    relevant: ['trace-async-context'],
    files: ['server/src/search/query.ts'],
    diff: `@@ -9,2 +9,6 @@ export async function runQuery(query: Query) {
-  return backend.search(query)
+  const span = tracer.startSpan('search query')
+  const result = await backend.search(query)
+  span.setAttribute('hits', result.total)
+  span.end()
+  return result
 }`,
  },
  {
    relevant: ['oncall-timeouts-page', 'oncall-runbook-link', 'metric-slo-alert'],
    files: ['monitoring/alerts/api.yaml'],
    diff: `@@ -0,0 +12,6 @@ groups:
+      - alert: ApiErrors
+        expr: sum(rate(http_requests_total{status=~"5.."}[1m])) > 5
+        labels:
+          severity: page
+        annotations:
+          summary: The API answers with errors`,
  },
  {
    relevant: ['flag-naming', 'flag-expiry', 'flag-default-off'],
    files: ['config/flags.yaml'],
    diff: `@@ -88,2 +88,5 @@ flags:
     owner: checkout
     remove_by: 2026-03-01
+  - name: PROJ-4711-disable-old-cart
+    owner: checkout
+    default: true`,
  },
  {
    relevant: ['flag-no-nesting'],
    files: ['web/src/checkout/address.tsx'],
    diff: `@@ -21,2 +21,8 @@ export function Address({ flags }: Props) {
-  return <AddressForm />
+  if (flags.checkoutNewAddressForm) {
+    if (flags.checkoutAddressAutocomplete) {
+      return <AddressForm version={2} autocomplete />
+    }
+    return <AddressForm version={2} />
+  }
+  return <AddressForm version={1} />
 }`,
  },
  {
    relevant: ['ci-pin-actions'],
    files: ['.github/workflows/release.yml'],
    diff: `@@ -15,3 +15,6 @@ jobs:
     steps:
       - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
+      - uses: someone/upload-release@v2
+        with:
+          files: dist/*.tar.gz
       - run: scripts/ci/publish`,
  },
  {
    relevant: ['ci-least-token'],
    files: ['.github/workflows/lint.yml'],
    diff: `@@ -1,7 +1,6 @@
 name: lint
 on: [pull_request]
-permissions:
-  contents: read
+permissions: write-all
 jobs:
   lint:
     runs-on: ubuntu-24.04`,
  },
  {
    relevant: ['ci-frozen-lockfile'],
    files: ['.github/workflows/test.yml'],
    diff: `@@ -20,5 +20,5 @@ jobs:
       - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020
         with:
           node-version: 24
-      - run: npm ci
+      - run: npm install
       - run: npm test`,
  },
  {
    relevant: ['dep-dev-vs-prod'],
    files: ['package.json', 'package-lock.json'],
    diff: `@@ -18,5 +18,7 @@
   "dependencies": {
     "fastify": "5.2.0",
+    "vitest": "3.0.4",
+    "eslint": "9.18.0",
     "pg": "8.13.1"
   },
   "devDependencies": {`,
  },
  {
    relevant: ['dep-no-git-url'],
    files: ['package.json'],
    diff: `@@ -22,4 +22,4 @@
   "dependencies": {
-    "pdf-tools": "2.4.1",
+    "pdf-tools": "github:acme/pdf-tools#fix-margins",
     "pino": "9.6.0"
   }`,
  },
]
