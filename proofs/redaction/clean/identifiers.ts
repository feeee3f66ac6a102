import { digest, objectId, podName, ulid } from './lookalikes.ts'
import type { Topic } from './talk.ts'

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export const identifierTopics: readonly Topic[] = [
  {
    name: 'row ids',
    lines: [
      (t) =>
        `Order ${t.random.uuid()} is the one from the incident; keep it in the regression test of ${t.name}.`,
      (t) => `Fixtures use tenant ${t.random.uuid()} and repository ${t.random.uuid()}.`,
      (t) => `expect(${t.snake}.id).toBe('${t.random.uuid()}')`,
      (t) =>
        `Ids are UUIDv7 such as 019${t.random.hex(5)}-${t.random.hex(4)}-7${t.random.hex(3)}-8${t.random.hex(3)}-${t.random.hex(12)}, ${t.reason}.`,
      (t) => `ULIDs such as ${ulid(t.random)} sort by time; ${t.rule}`,
      (t) => `The id ${objectId(t.random)} of a ${t.type} is made by the driver, never by us.`,
      (t) => `{ "id": "${ulid(t.random)}", "type": "${t.snake}.created" } is what ${t.module} sends.`,
      (t) =>
        `cuid c${t.random.lower(24)} and nanoid ${t.random.base64Url(21)} both stand in ${t.file}; choose one.`,
      (t) => `KSUID 2${t.random.base62(26)} appears in the log of ${t.module}, ${t.reason}.`,
      (t) => `The idempotency key ${t.random.uuid()} was sent twice, so ${t.name}() must answer the same.`,
      (t) =>
        `customer cus_${t.random.base62(14)}, payment intent pi_${t.random.base62(24)}: both are references of the provider.`,
      (t) => `price_${t.random.base62(24)} is the yearly plan; ${t.rule}`,
      (t) => `evt_${t.random.base62(24)} arrived before its ${t.type}; handle both orders.`,
      (t) =>
        `Test data: user_${t.random.digits(6)}, org_${t.random.digits(5)}, ${t.snake}_${t.random.digits(8)}`,
    ],
  },
  {
    name: 'operations',
    lines: [
      (t) => `traceparent: 00-${t.random.hex(32)}-${t.random.hex(16)}-01 has to reach ${t.module}.`,
      (t) => `X-Request-Id ${t.random.hex(32)} shows the double call of ${t.name}.`,
      (t) => `pod ${podName(t.random, t.module)} was killed for memory; ${t.rule}`,
      (t) => `kubectl logs ${podName(t.random, t.kebab)} -n ${t.module} --since=1h`,
      (t) => `arn:aws:lambda:eu-west-1:${t.random.digits(12)}:function:${t.kebab} is named in two stacks.`,
      (t) =>
        `The volume vol-0${t.random.hex(16)} is attached to i-0${t.random.hex(16)} in the sketch, ${t.reason}.`,
      (t) =>
        `subscription ${t.random.uuid()}, resource group rg-${t.module}-weu: pass them in, do not write them down.`,
      (t) => `Span ${t.random.hex(16)} took ${t.number} ms in ${t.name}.`,
      (t) =>
        `Channel C0${t.random.upper(9)} gets the alerts of ${t.module}, <@U0${t.random.upper(9)}> owns them.`,
      (t) => `spiffe://example.org/ns/${t.module}/sa/${t.kebab} is the identity, not a file.`,
      (t) =>
        `s3://acme-exports/${t.module}/${t.day}/part-00${t.random.digits(3)}-${t.random.uuid()}.snappy.parquet`,
      (t) => `build ${t.random.digits(11)} of job ${t.random.digits(11)} failed in ${t.name}, then passed.`,
      (t) => `Transaction 0x${digest(t.random, 'sha256')} went to 0x${t.random.hex(40)} on the test network.`,
      (t) => `ipfs://Qm${t.random.chars(base58, 44)} is the published schema of ${t.module}.`,
    ],
  },
  {
    name: 'long names',
    lines: [
      (t) => `${t.name}${t.type}WhenTheCustomerHasNoDefaultAddressAndTheBasketIsEmpty() says too much.`,
      (t) =>
        `AbstractTransactional${t.type}RepositoryFactoryBeanPostProcessorAdapter hides what it does, ${t.reason}.`,
      (t) => `com.acme.${t.module}.infrastructure.persistence.${t.type}JpaRepositoryCustomImpl`,
      (t) => `test_${t.snake}_is_not_sent_again_after_the_${t.module}_worker_restarts_within_the_same_minute`,
      (t) => `MAX_${t.constant}_RETRIES_BEFORE_${t.constant}_IS_ARCHIVED = ${t.random.between(2, 20)}`,
      (t) => `Rename ${t.name}2 and ${t.name}New; ${t.rule}`,
      (t) =>
        `${t.module}.${t.snake}.actions.confirmAndContinueButtonAccessibilityLabel is the translation key.`,
      (t) =>
        `className="flex-col md:grid-cols-[200px_minmax(900px,_1fr)_100px] hover:bg-sky-700/80" in ${t.type} needs a component.`,
      (t) =>
        `.${t.type}_root__${t.random.base62(5)} .${t.type}_label__${t.random.base62(5)} come from CSS modules.`,
      (t) => `use${t.type}SubscriptionWithOptimisticUpdatesAndOfflineQueue() does three things.`,
      (t) =>
        `_ZN4acme${t.type.length}${t.type}7processEv is a mangled name, demangle it in the crash report.`,
      (t) => `I${t.type}Service, ${t.type}ServiceImpl and ${t.type}ServiceImplFactory are one class.`,
      (t) =>
        `org.springframework.boot.autoconfigure.${t.module}.${t.type}AutoConfiguration is excluded for a reason.`,
    ],
  },
  {
    name: 'versions and packages',
    lines: [
      (t) =>
        `${t.library}@${t.version}-rc.${t.random.below(9)}+build.${t.random.hex(7)} is not for production.`,
      (t) => `Bump ${t.library} from ${t.version} to ${t.random.between(20, 40)}.0.0 in its own change.`,
      (t) => `"${t.library}": "^${t.version}", "node": ">=24.${t.random.below(30)}"`,
      (t) => `v${t.version}-${t.random.between(1, 90)}-g${t.random.hex(7)} is what git describe says.`,
      (t) =>
        `CVE-2026-${t.random.digits(5)} touches ${t.library} below ${t.version}; GHSA-${t.random.lower(4)}-${t.random.lower(4)}-${t.random.lower(4)} has the fix.`,
      (t) => `Target net8.0 and ${t.library} ${t.version}.${t.random.digits(5)}, ${t.reason}.`,
      (t) =>
        `npm_config_cache, npm_package_version and npm_lifecycle_event are set by the runner of ${t.module}.`,
      (t) =>
        `pkg:npm/%40acme/${t.kebab}@${t.version}?vcs_url=git%2Bhttps%3A%2F%2Fgit.example.com%2Facme%2F${t.module}.git`,
      (t) => `Locale ${t.locale} has other plural rules; ${t.rule}`,
      (t) =>
        `task-${t.random.digits(5)}, risk-${t.random.digits(4)} and desk-${t.random.digits(3)} are labels of the tracker.`,
    ],
  },
]
