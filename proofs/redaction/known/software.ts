import { base64Of, base64UrlOf } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import type { Random } from '../random.ts'
import { plain, secret, type Value } from '../value.ts'

const ai = kindsOf('ai')
const monitoring = kindsOf('monitoring')

export const aiKinds: readonly Kind[] = [
  ai.bare('mistral-key', 'Mistral API key', 'MISTRAL_API_KEY', [(random) => secret`${random.base62(32)}`]),
  ai.bare('wandb-key', 'Weights & Biases API key', 'WANDB_API_KEY', [(random) => secret`${random.hex(40)}`]),
  ai.token('openai-legacy-key', 'OpenAI key', 'OPENAI_API_KEY', [
    (random) => secret`sk-${random.base62(20)}T3BlbkFJ${random.base62(20)}`,
  ]),
  ai.token('openai-project-key', 'OpenAI project key', 'OPENAI_API_KEY', [
    (random) => secret`sk-proj-${random.base64Url(74)}T3BlbkFJ${random.base64Url(74)}`,
    (random) => secret`sk-svcacct-${random.base64Url(58)}T3BlbkFJ${random.base64Url(58)}`,
    (random) => secret`sk-admin-${random.base64Url(58)}T3BlbkFJ${random.base64Url(58)}`,
  ]),
  ai.token('anthropic-key', 'Anthropic key', 'ANTHROPIC_API_KEY', [
    (random) => secret`sk-ant-api03-${random.base64Url(93)}AA`,
    (random) => secret`sk-ant-admin01-${random.base64Url(93)}AA`,
  ]),
  ai.token('openrouter-key', 'OpenRouter key', 'OPENROUTER_API_KEY', [
    (random) => secret`sk-or-v1-${random.hex(64)}`,
  ]),
  ai.token('langsmith-key', 'LangSmith key', 'LANGSMITH_API_KEY', [
    (random) => secret`lsv2_pt_${random.hex(32)}_${random.hex(10)}`,
    (random) => secret`lsv2_sk_${random.hex(32)}_${random.hex(10)}`,
  ]),
  ai.token('xai-key', 'xAI key', 'XAI_API_KEY', [(random) => secret`xai-${random.base62(80)}`]),
  ai.token('perplexity-key', 'Perplexity key', 'PERPLEXITY_API_KEY', [
    (random) => secret`pplx-${random.base62(48)}`,
  ]),
]

export const monitoringKinds: readonly Kind[] = [
  monitoring.bare('pagerduty-token', 'PagerDuty API token', 'PAGERDUTY_TOKEN', [
    (random) => secret`u+${random.base64Url(18)}`,
    (random) => secret`y_${random.base62(18)}`,
  ]),
  monitoring.bare('splunk-hec-token', 'Splunk HEC token', 'SPLUNK_HEC_TOKEN', [
    (random) => secret`${random.uuid()}`,
  ]),
  monitoring.bare('rollbar-token', 'Rollbar access token', 'ROLLBAR_ACCESS_TOKEN', [
    (random) => secret`${random.hex(32)}`,
  ]),
  monitoring.bare('sumologic-key', 'Sumo Logic access key', 'SUMOLOGIC_ACCESSKEY', [
    (random) => secret`${random.base62(64)}`,
  ]),
  monitoring.address('sentry-dsn', 'Sentry DSN', 'SENTRY_DSN', [
    (random) => secret`https://${random.hex(32)}@${sentryHost(random)}/${sentryProject(random)}`,
    (random) =>
      secret`https://${random.hex(32)}:${random.hex(32)}@sentry.example.com/${sentryProject(random)}`,
  ]),
  monitoring.token('sentry-token', 'Sentry auth token', 'SENTRY_AUTH_TOKEN', [
    sentryOrganizationToken,
    (random) => secret`sntryu_${random.hex(64)}`,
  ]),
  monitoring.token('dynatrace-token', 'Dynatrace API token', 'DT_API_TOKEN', [
    (random) => secret`dt0c01.${plain(random.base32(24))}.${random.base32(64)}`,
    (random) => secret`dt0s16.${plain(random.base32(8))}.${random.base32(64)}`,
  ]),
  monitoring.token('new-relic-key', 'New Relic key', 'NEW_RELIC_API_KEY', [
    (random) => secret`NRAK-${random.upper(27)}`,
    (random) => secret`eu01xx${random.hex(26)}FFFFNRAL`,
    (random) => secret`NRII-${random.base64Url(32)}`,
  ]),
  monitoring.token('honeycomb-key', 'Honeycomb ingest key', 'HONEYCOMB_API_KEY', [
    (random) => secret`hcaik_01${random.lower(56)}`,
  ]),
]

const sentryHost = (random: Random) =>
  plain(`o${random.digits(6)}.ingest.${random.pick(['us', 'de'])}.sentry.io`)
const sentryProject = (random: Random) => plain(`45${random.digits(14)}`)

function sentryOrganizationToken(random: Random): Value {
  const issued = 1_700_000_000 + random.below(60_000_000)
  const claims = { iat: issued, url: 'https://sentry.io', region_url: 'https://us.sentry.io', org: 'acme' }
  const readable = base64Of(Buffer.from(base64UrlOf(claims), 'base64url'))
  return secret`sntrys_${plain(readable)}_${random.base64(43)}`
}
