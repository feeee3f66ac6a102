import { base64Of, base64UrlOf } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import { domainName, serviceName, userName } from '../people.ts'
import type { Random } from '../random.ts'
import { plain, secret, type Value } from '../value.ts'

const chat = kindsOf('chat')
const payment = kindsOf('payment')
const messaging = kindsOf('messaging')
const ai = kindsOf('ai')
const monitoring = kindsOf('monitoring')

export const heldOutChatKinds: readonly Kind[] = [
  chat.token('matrix-token', 'Matrix access token', 'MATRIX_ACCESS_TOKEN', [
    (random) =>
      secret`syt_${plain(base64Of(userName(random)).replaceAll('=', ''))}_${random.base62(20)}_${random.base62(6)}`,
  ]),
  chat.address('teams-webhook', 'Teams webhook', 'TEAMS_WEBHOOK_URL', [teamsWebhook]),
  chat.token('telegram-bot', 'Telegram bot token', 'TELEGRAM_BOT_TOKEN', [
    (random) => secret`${plain(`6${random.digits(9)}`)}:AA${random.base64Url(33)}`,
    (random) => secret`${plain(`5${random.digits(8)}`)}:AAE${random.base64Url(32)}`,
  ]),
]

export const heldOutPaymentKinds: readonly Kind[] = [
  payment.token('adyen-key', 'Adyen API key', 'ADYEN_API_KEY', [
    (random) => secret`AQE${random.base64(61)}-${random.base64(43)}=-${random.base62(16)}`,
  ]),
  payment.token('paddle-key', 'Paddle API key', 'PADDLE_API_KEY', [
    (random) => secret`pdl_live_apikey_01${random.lower(24)}_${random.base62(22)}_${random.base62(3)}`,
    (random) => secret`pdl_sdbx_apikey_01${random.lower(24)}_${random.base62(22)}_${random.base62(3)}`,
  ]),
  payment.token('square-token', 'Square token', 'SQUARE_ACCESS_TOKEN', [
    (random) => secret`EAAA${random.base64Url(60)}`,
    (random) => secret`sq0atp-${random.base64Url(22)}`,
    (random) => secret`sq0csp-${random.base64Url(43)}`,
  ]),
  payment.token('mollie-key', 'Mollie API key', 'MOLLIE_API_KEY', [
    (random) => secret`live_${random.base62(30)}`,
    (random) => secret`test_${random.base62(30)}`,
  ]),
]

export const heldOutMessagingKinds: readonly Kind[] = [
  messaging.bare('sparkpost-key', 'SparkPost API key', 'SPARKPOST_API_KEY', [
    (random) => secret`${random.hex(40)}`,
  ]),
  messaging.bare('postmark-token', 'Postmark server token', 'POSTMARK_SERVER_TOKEN', [
    (random) => secret`${random.uuid()}`,
  ]),
  messaging.token('sendgrid-key', 'SendGrid API key', 'SENDGRID_API_KEY', [
    (random) => secret`SG.${random.base64Url(22)}.${random.base64Url(43)}`,
  ]),
  messaging.token('mailchimp-key', 'Mailchimp API key', 'MAILCHIMP_API_KEY', [
    (random) => secret`${random.hex(32)}-us${plain(String(random.between(1, 21)))}`,
  ]),
]

export const heldOutAiKinds: readonly Kind[] = [
  ai.bare('cohere-key', 'Cohere API key', 'COHERE_API_KEY', [(random) => secret`${random.base62(40)}`]),
  ai.token('nvidia-key', 'NVIDIA API key', 'NVIDIA_API_KEY', [
    (random) => secret`nvapi-${random.base64Url(64)}`,
  ]),
  ai.token('huggingface-token', 'Hugging Face token', 'HF_TOKEN', [
    (random) => secret`hf_${letters(random, 34)}`,
  ]),
  ai.token('replicate-token', 'Replicate token', 'REPLICATE_API_TOKEN', [
    (random) => secret`r8_${random.base62(37)}`,
  ]),
  ai.token('pinecone-key', 'Pinecone key', 'PINECONE_API_KEY', [
    (random) => secret`pcsk_${plain(random.base62(6))}_${random.base62(63)}`,
  ]),
  ai.token('groq-key', 'Groq key', 'GROQ_API_KEY', [(random) => secret`gsk_${random.base62(52)}`]),
]

export const heldOutMonitoringKinds: readonly Kind[] = [
  monitoring.bare('opsgenie-key', 'Opsgenie API key', 'OPSGENIE_API_KEY', [
    (random) => secret`${random.uuid()}`,
  ]),
  monitoring.bare('datadog-key', 'Datadog API key', 'DD_API_KEY', [
    (random) => secret`${random.hex(32)}`,
    (random) => secret`${random.hex(40)}`,
  ]),
  monitoring.token('axiom-token', 'Axiom token', 'AXIOM_TOKEN', [(random) => secret`xaat-${random.uuid()}`]),
  monitoring.token('grafana-token', 'Grafana token', 'GRAFANA_TOKEN', [
    (random) => secret`glsa_${random.base62(32)}_${random.hex(8)}`,
    (random) =>
      secret`glc_${base64UrlOf({ o: '652992', n: 'stack-1', k: random.base62(24), m: { r: 'eu' } })}`,
  ]),
  monitoring.token('posthog-key', 'PostHog key', 'POSTHOG_PERSONAL_API_KEY', [
    (random) => secret`phx_${random.base62(43)}`,
    (random) => secret`phs_${random.base62(43)}`,
  ]),
]

const letters = (random: Random, length: number) =>
  random.chars('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', length)

function teamsWebhook(random: Random): Value {
  const host = plain(`${domainName(random).split('.')[0]}${serviceName(random)}`.replaceAll('-', ''))
  return secret`https://${host}.webhook.office.com/webhookb2/${plain(random.uuid())}@${plain(random.uuid())}/IncomingWebhook/${random.hex(32)}/${random.uuid()}`
}
