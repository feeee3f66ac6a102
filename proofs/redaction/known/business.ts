import { base64Of } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import type { Random } from '../random.ts'
import { plain, secret, type Value } from '../value.ts'

const chat = kindsOf('chat')
const payment = kindsOf('payment')
const messaging = kindsOf('messaging')

export const chatKinds: readonly Kind[] = [
  chat.bare('mattermost-token', 'Mattermost token', 'MATTERMOST_TOKEN', [
    (random) => secret`${random.lower(26)}`,
  ]),
  chat.token('slack-bot', 'Slack bot token', 'SLACK_BOT_TOKEN', [
    (random) => secret`xoxb-${number(random, 12)}-${number(random, 13)}-${random.base62(24)}`,
    (random) => secret`xoxb-${number(random, 11)}-${random.base62(24)}`,
  ]),
  chat.token('slack-user', 'Slack user token', 'SLACK_USER_TOKEN', [
    (random) =>
      secret`xoxp-${number(random, 12)}-${number(random, 12)}-${number(random, 13)}-${random.hex(32)}`,
    (random) => secret`xoxe.xoxp-1-${random.base62(164)}`,
    (random) => secret`xoxe-1-${random.base62(146)}`,
  ]),
  chat.token('slack-app', 'Slack app token', 'SLACK_APP_TOKEN', [
    (random) => secret`xapp-1-A${plain(random.upper(10))}-${number(random, 13)}-${random.hex(64)}`,
  ]),
  chat.address('slack-webhook', 'Slack webhook', 'SLACK_WEBHOOK_URL', [
    (random) =>
      secret`https://hooks.slack.com/services/T${plain(random.upper(8))}/B${plain(random.upper(10))}/${random.base62(24)}`,
    (random) =>
      secret`https://hooks.slack.com/workflows/T${plain(random.upper(10))}/A${plain(random.upper(10))}/${number(random, 18)}/${random.base62(24)}`,
  ]),
  chat.token('discord-bot', 'Discord bot token', 'DISCORD_TOKEN', [
    (random) => discordBot(random, 18, 27),
    (random) => discordBot(random, 19, 38),
  ]),
  chat.address('discord-webhook', 'Discord webhook', 'DISCORD_WEBHOOK_URL', [
    (random) => secret`https://discord.com/api/webhooks/${number(random, 19)}/${random.base64Url(68)}`,
    (random) => secret`https://discordapp.com/api/webhooks/${number(random, 18)}/${random.base64Url(68)}`,
  ]),
]

export const paymentKinds: readonly Kind[] = [
  payment.bare('paypal-secret', 'PayPal client secret', 'PAYPAL_CLIENT_SECRET', [
    (random) => secret`E${random.base64Url(79)}`,
  ]),
  payment.token('stripe-secret-key', 'Stripe secret key', 'STRIPE_SECRET_KEY', [
    (random) => secret`sk_live_51${random.base62(97)}`,
    (random) => secret`sk_test_51${random.base62(97)}`,
    (random) => secret`sk_live_${random.base62(24)}`,
  ]),
  payment.token('stripe-restricted-key', 'restricted Stripe key', 'STRIPE_API_KEY', [
    (random) => secret`rk_live_51${random.base62(97)}`,
    (random) => secret`rk_test_${random.base62(24)}`,
  ]),
  payment.token('stripe-webhook-secret', 'webhook signing secret', 'STRIPE_WEBHOOK_SECRET', [
    (random) => secret`whsec_${random.base62(32)}`,
    (random) => secret`whsec_${random.hex(64)}`,
  ]),
  payment.token('braintree-token', 'Braintree access token', 'BRAINTREE_ACCESS_TOKEN', [
    (random) => secret`access_token$production$${plain(random.lower(16))}$${random.hex(32)}`,
    (random) => secret`access_token$sandbox$${plain(random.lower(16))}$${random.hex(32)}`,
  ]),
  payment.token('plaid-token', 'Plaid access token', 'PLAID_ACCESS_TOKEN', [
    (random) => secret`access-production-${random.uuid()}`,
    (random) => secret`access-sandbox-${random.uuid()}`,
  ]),
  payment.token('flutterwave-key', 'Flutterwave secret key', 'FLW_SECRET_KEY', [
    (random) => secret`FLWSECK-${random.hex(32)}-X`,
    (random) => secret`FLWSECK_TEST-${random.hex(32)}-X`,
  ]),
  payment.token('razorpay-key', 'Razorpay key', 'RAZORPAY_KEY', [
    (random) => secret`rzp_live_${random.base62(14)}`,
    (random) => secret`rzp_test_${random.base62(14)}:${random.base62(24)}`,
  ]),
]

export const messagingKinds: readonly Kind[] = [
  messaging.bare('twilio-auth-token', 'Twilio auth token', 'TWILIO_AUTH_TOKEN', [
    (random) => secret`${random.hex(32)}`,
  ]),
  messaging.token('twilio-api-key', 'Twilio API key', 'TWILIO_API_KEY', [
    (random) => secret`SK${random.hex(32)}`,
  ]),
  messaging.bare('vonage-secret', 'Vonage API secret', 'VONAGE_API_SECRET', [
    (random) => secret`${random.base62(16)}`,
  ]),
  messaging.bare('messagebird-key', 'MessageBird API key', 'MESSAGEBIRD_API_KEY', [
    (random) => secret`${random.base62(25)}`,
  ]),
  messaging.bare('ses-smtp-password', 'SES SMTP password', 'SMTP_PASSWORD', [
    (random) => secret`B${random.base64(43)}`,
  ]),
  messaging.token('resend-key', 'Resend API key', 'RESEND_API_KEY', [
    (random) => secret`re_${random.base62(8)}_${random.base62(24)}`,
  ]),
  messaging.token('brevo-key', 'Brevo API key', 'BREVO_API_KEY', [
    (random) => secret`xkeysib-${random.hex(64)}-${random.base62(16)}`,
    (random) => secret`xsmtpsib-${random.hex(64)}-${random.base62(16)}`,
  ]),
  messaging.token('mailgun-key', 'Mailgun API key', 'MAILGUN_API_KEY', [
    (random) => secret`key-${random.hex(32)}`,
  ]),
  messaging.bare('mailgun-signing-key', 'Mailgun signing key', 'MAILGUN_SIGNING_KEY', [
    (random) => secret`${random.hex(32)}-${random.hex(8)}-${random.hex(8)}`,
  ]),
  messaging.token('mandrill-key', 'Mandrill API key', 'MANDRILL_API_KEY', [
    (random) => secret`md-${random.base64Url(22)}`,
  ]),
]

/** An id of a workspace, a channel, a user: no zero in front, and no secret. */
function number(random: Random, length: number) {
  return plain(`${random.between(1, 9)}${random.digits(length - 1)}`)
}

/** The bot's id in base64, when it was issued, and the secret. */
function discordBot(random: Random, idLength: number, length: number): Value {
  const id = base64Of(number(random, idLength).text).replaceAll('=', '')
  return secret`${plain(id)}.G${plain(random.base64Url(5))}.${random.base64Url(length)}`
}
