const list = (text: string) => text.split('|').map((entry) => entry.trim())

export const openings =
  list(`Prefer|Avoid|Keep|Document|Test|Name|Split|Inline|Deprecate|Measure|Review|Simplify|Isolate|Cache|
  Validate|Batch|Rename|Extract|Move|Guard`)

export const objects =
  list(`small pure functions|nested ternaries|early returns|shared mutable state|optional chaining|database calls|
  retry loops|feature flags|global singletons|date arithmetic|string concatenation|error messages|timeouts|
  background jobs|event handlers|deep inheritance|default parameters|boolean arguments|magic numbers|test fixtures|
  snapshot tests|public methods|integration tests|type assertions|log statements|cache entries|database indexes|
  migration scripts|long parameter lists|enum values|nullable columns|currency conversions|unbounded queues|
  regular expressions|recursive calls|file handles|connection pools|stream readers|pagination cursors|rate limits`)

export const places =
  list(`in the checkout flow|in hot paths|at the edge of the system|in the billing worker|near the controller|
  inside a transaction|in shared libraries|in the mobile client|in generated code|between services|in the importer|
  in the report builder|under src/domain|in migrations|in the admin console|in request handlers|in React components|
  in the scheduler|in property tests|in the public SDK|around the payment gateway|in the search indexer|
  in the notification service|across package boundaries|in the command line tool|in the ledger|in the sync engine`)

export const reasons =
  list(`because reviewers miss them|so that a failure is visible|since two incidents came from it|
  because the on-call engineer reads it at night|so that retries stay safe|because the compiler can check it then|
  since the old clients still depend on it|so that the diff stays small|because it doubled our p99|
  since the linter cannot see it|so that tests run in any order|because customers export this data|
  so that rollbacks are boring|since the cost shows only at scale|because it hides the real owner|
  so that dashboards keep their meaning|because time zones differ|since nobody reads the fallback|
  so that support can answer without us|because the type says more than the comment`)

export const modules =
  list(`billing|checkout|ledger|search|catalog|inventory|shipping|pricing|notifications|reporting|identity|gateway|
  scheduler|importer|exporter|analytics|audit|media|support|onboarding|workflow|recommendations|tax|fraud|returns|
  loyalty|warehouse|messaging|translations|documents`)

export const nouns =
  list(`Invoice|Customer|Order|Payment|Shipment|Refund|Report|Session|Account|Address|Basket|Coupon|Document|Event|
  Policy|Schedule|Template|Tenant|Ticket|Webhook|Workflow|Snapshot|Segment|Quota|Product|Permission|Notification|
  Message|Ledger|Job`)

export const verbs =
  list(`calculate|render|validate|serialize|fetch|resolve|merge|schedule|normalize|dispatch|reconcile|aggregate|
  archive|hydrate|encode|transform|publish|prefetch|collect|register|throttle|paginate|convert|translate|migrate`)

export const qualifiers =
  list(`Pending|Monthly|Default|Nested|Partial|External|Cached|Localized|Recurring|Archived|Optional|Expired|Shared|
  Primary|Remote|Draft|Bulk|Legacy|Internal|Verified`)

export const extensions = ['ts', 'tsx', 'go', 'py', 'rb', 'java', 'kt', 'rs', 'cs', 'php', 'sql', 'scala']

export const people =
  list(`Amira|Bjarne|Chidi|Daniela|Emre|Freya|Goran|Hana|Ingrid|Jonas|Katrin|Lucía|Mateo|Noor|Olga|Pavel|Quentin|
  Rosa|Søren|Tomás|Ulrike|Viktor|Wanjiru|Ximena|Yusuf|Zofia`)

export const teams = list(
  `platform|payments|growth|data|mobile|search|infrastructure|design systems|support tools|compliance`,
)

export const packages =
  list(`left-pad|react-dom|lodash.merge|fastify|typescript|eslint-plugin-import|vite|zod|date-fns|undici|pino|
  serde_json|tokio|requests|numpy|django-filter|rails|sidekiq|guava|jackson-databind|cobra|testify`)

export const locales = [
  'sk-SK',
  'en-GB',
  'de-AT',
  'pt-BR',
  'nb-NO',
  'zh-Hant-TW',
  'sr-Latn-RS',
  'fr-CA',
  'es-419',
]
