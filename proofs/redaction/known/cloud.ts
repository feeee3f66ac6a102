import { base64Of, privateKeyLabel } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import { serviceName } from '../people.ts'
import { base62, type Random } from '../random.ts'
import { plain, secret, type Value } from '../value.ts'

const { token, bare, address, lines } = kindsOf('cloud')

export const cloudKinds: readonly Kind[] = [
  lines('gcp-service-account', 'service account file', 'GOOGLE_APPLICATION_CREDENTIALS_JSON', [
    (random) => serviceAccount(random, '\n  '),
    (random) => serviceAccount(random, ' '),
  ]),
  bare('vultr-key', 'Vultr API key', 'VULTR_API_KEY', [(random) => secret`${random.upper(36)}`]),
  bare('linode-token', 'Linode token', 'LINODE_TOKEN', [(random) => secret`${random.hex(64)}`]),
  bare('hetzner-token', 'Hetzner Cloud token', 'HCLOUD_TOKEN', [(random) => secret`${random.base62(64)}`]),
  bare('cloudflare-api-token', 'Cloudflare API token', 'CLOUDFLARE_API_TOKEN', [
    (random) => secret`${random.base64Url(40)}`,
    (random) => secret`${random.hex(37)}`,
  ]),
  token('cloudflare-origin-ca-key', 'Cloudflare Origin CA key', 'CLOUDFLARE_ORIGIN_CA_KEY', [
    (random) => secret`v1.0-${random.hex(24)}-${random.hex(146)}`,
  ]),
  address('azure-service-bus', 'Service Bus connection string', 'SERVICEBUS_CONNECTION_STRING', [
    (random) => serviceBus(random, 'RootManageSharedAccessKey', ''),
    (random) => serviceBus(random, 'listen-only', `;EntityPath=${serviceName(random)}-events`),
  ]),
  token('heroku-key', 'Heroku API key', 'HEROKU_API_KEY', [
    (random) => secret`HRKU-AA${random.base64Url(58)}`,
    (random) => secret`HRKU-${random.uuid()}`,
  ]),
  bare('heroku-legacy-key', 'Heroku API key', 'HEROKU_API_KEY', [(random) => secret`${random.uuid()}`]),
  token('gcp-api-key', 'Google API key', 'GOOGLE_MAPS_API_KEY', [
    (random) => secret`AIzaSy${random.base64Url(33)}`,
    (random) => secret`AIza${random.base64Url(35)}`,
  ]),
  token('digitalocean-token', 'DigitalOcean token', 'DIGITALOCEAN_TOKEN', [
    (random) => secret`dop_v1_${random.hex(64)}`,
    (random) => secret`doo_v1_${random.hex(64)}`,
    (random) => secret`dor_v1_${random.hex(64)}`,
  ]),
  token('azure-ad-client-secret', 'Azure AD client secret', 'AZURE_CLIENT_SECRET', [
    (random) => secret`${random.base62(3)}8Q~${random.chars(`${base62}~_.-`, 34)}`,
    (random) => secret`${random.base62(3)}7Q~${random.base62(31)}`,
  ]),
  token('alibaba-access-key-id', 'Alibaba Cloud access key', 'ALIBABA_CLOUD_ACCESS_KEY_ID', [
    (random) => secret`LTAI5t${random.base62(18)}`,
    (random) => secret`LTAI${random.base62(20)}`,
  ]),
  bare('alibaba-secret', 'Alibaba Cloud access key secret', 'ALIBABA_CLOUD_ACCESS_KEY_SECRET', [
    (random) => secret`${random.base62(30)}`,
  ]),
  token('yandex-key', 'Yandex Cloud API key', 'YC_API_KEY', [
    (random) => secret`AQVN${random.base64Url(36)}`,
    (random) => secret`t1.9euelZ${random.base64Url(110)}.${random.base64Url(86)}`,
  ]),
  token('google-oauth-client-secret', 'Google OAuth client secret', 'GOOGLE_CLIENT_SECRET', [
    (random) => secret`GOCSPX-${random.base64Url(28)}`,
  ]),
  token('google-access-token', 'Google access token', 'GOOGLE_ACCESS_TOKEN', [
    (random) => secret`ya29.a0A${random.base64Url(160)}`,
    (random) => secret`ya29.c.${random.base64Url(220)}`,
  ]),
  token('fly-token', 'Fly.io token', 'FLY_API_TOKEN', [
    (random) => secret`fm2_lJPECAAAAAAA${random.base64(183)}=`,
    (random) => secret`fo1_${random.base64Url(43)}`,
    (random) => secret`fm1r_${random.base64(160)}`,
  ]),
  token('scaleway-access-key', 'Scaleway access key', 'SCW_ACCESS_KEY', [
    (random) => secret`SCW${random.upper(17)}`,
  ]),
  bare('scaleway-secret-key', 'Scaleway secret key', 'SCW_SECRET_KEY', [
    (random) => secret`${random.uuid()}`,
  ]),
  token('render-key', 'Render API key', 'RENDER_API_KEY', [(random) => secret`rnd_${random.base62(28)}`]),
]

function serviceBus(random: Random, name: string, end: string): Value {
  const host = plain(`${serviceName(random)}-${random.pick(['prod', 'test', 'weu'])}`)
  return secret`Endpoint=sb://${host}.servicebus.windows.net/;SharedAccessKeyName=${plain(name)};SharedAccessKey=${base64Of(random.bytes(32))}${plain(end)}`
}

/** The private key stands in one line of JSON, with its line ends escaped. */
function serviceAccount(random: Random, gap: string): Value {
  const project = `${serviceName(random)}-${random.digits(6)}`
  const first = ['{', '"type": "service_account",', `"project_id": "${project}",`].join(gap)
  const label = privateKeyLabel('')
  const begin = `"private_key": "-----BEGIN ${label}-----\\n`
  const id = secret`${plain(first + gap)}"private_key_id": "${random.hex(40)}",${plain(gap + begin)}`
  const body = [...Array(25)].flatMap(() => secret`${random.base64(64)}\\n`)
  const mail = `"client_email": "deploy@${project}.iam.gserviceaccount.com"${gap.trimEnd()}}`
  const end = secret`${random.base64(22)}==\\n-----END ${plain(label)}-----\\n",${plain(gap + mail)}`
  return [...id, ...secret`MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${random.base64(32)}\\n`, ...body, ...end]
}
