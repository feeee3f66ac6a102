import { base64Of, privateKeyLabel } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import { hostName, serviceName, urlPassword, userName } from '../people.ts'
import type { Random } from '../random.ts'
import { plain, secret, type Value } from '../value.ts'

const data = kindsOf('data')
const identity = kindsOf('identity')
const saas = kindsOf('saas')

export const heldOutDataKinds: readonly Kind[] = [
  data.bare('confluent-secret', 'Confluent API secret', 'CONFLUENT_API_SECRET', [
    (random) => secret`${random.base64(64)}`,
  ]),
  data.token('databricks-token', 'Databricks token', 'DATABRICKS_TOKEN', [
    (random) => secret`dapi${random.hex(32)}`,
    (random) => secret`dapi${random.hex(32)}-2`,
  ]),
  data.address('mongodb-url', 'MongoDB URL', 'MONGODB_URI', [
    (random) =>
      secret`mongodb+srv://${user(random)}:${urlPassword(random)}@cluster0.${plain(random.lower(5))}.mongodb.net/${service(random)}?retryWrites=true`,
    (random) =>
      secret`mongodb://${user(random)}:${urlPassword(random)}@${host(random)}:27017,${host(random)}:27018/${service(random)}?replicaSet=rs0`,
  ]),
  data.token('planetscale-token', 'PlanetScale token', 'PLANETSCALE_TOKEN', [
    (random) => secret`pscale_tkn_${random.base64Url(43)}`,
    (random) => secret`pscale_pw_${random.base64Url(43)}`,
    (random) => secret`pscale_oauth_${random.base64Url(43)}`,
  ]),
  data.token('supabase-key', 'Supabase key', 'SUPABASE_SECRET_KEY', [
    (random) => secret`sbp_${random.hex(40)}`,
    (random) => secret`sb_secret_${random.base64Url(22)}_${random.base64Url(8)}`,
  ]),
  data.address('redis-url', 'Redis URL', 'REDIS_URL', [
    (random) => secret`redis://:${urlPassword(random)}@${host(random)}:6379/0`,
    (random) => secret`rediss://default:${random.hex(32)}@${host(random)}:6380`,
  ]),
  data.token('aiven-password', 'Aiven password', 'AIVEN_PASSWORD', [
    (random) => secret`AVNS_${random.base64Url(19)}`,
  ]),
]

export const heldOutIdentityKinds: readonly Kind[] = [
  identity.bare('keycloak-client-secret', 'Keycloak client secret', 'KEYCLOAK_CLIENT_SECRET', [
    (random) => secret`${random.base62(32)}`,
    (random) => secret`${random.uuid()}`,
  ]),
  identity.lines('kubeconfig-client-key', 'kubeconfig', 'KUBECONFIG_DATA', [kubeconfig]),
  identity.token('openshift-token', 'OpenShift token', 'OPENSHIFT_TOKEN', [
    (random) => secret`sha256~${random.base64Url(43)}`,
  ]),
  identity.token('linkedin-secret', 'LinkedIn client secret', 'LINKEDIN_CLIENT_SECRET', [
    (random) => secret`WPL_AP1.${random.base62(16)}.${random.base62(6)}==`,
  ]),
  identity.token('twitter-bearer-token', 'Twitter bearer token', 'TWITTER_BEARER_TOKEN', [
    (random) => secret`AAAAAAAAAAAAAAAAAAAAA${random.base62(28)}%3D${random.base62(50)}`,
  ]),
]

export const heldOutSaasKinds: readonly Kind[] = [
  saas.bare('zendesk-token', 'Zendesk API token', 'ZENDESK_API_TOKEN', [
    (random) => secret`${random.base62(40)}`,
  ]),
  saas.address('cloudinary-url', 'Cloudinary URL', 'CLOUDINARY_URL', [
    (random) =>
      secret`cloudinary://${plain(random.digits(15))}:${random.base64Url(27)}@${service(random)}-media`,
  ]),
  saas.token('maxmind-key', 'MaxMind license key', 'MAXMIND_LICENSE_KEY', [
    (random) => secret`${random.base62(6)}_${random.base62(29)}_mmk`,
  ]),
  saas.token('pubnub-key', 'PubNub secret key', 'PUBNUB_SECRET_KEY', [
    (random) => secret`sec-c-${base64Of(random.uuid())}`,
  ]),
  saas.token('figma-token', 'Figma token', 'FIGMA_TOKEN', [(random) => secret`figd_${random.base64Url(40)}`]),
  saas.token('terraform-cloud-token', 'Terraform Cloud token', 'TFE_TOKEN', [
    (random) => secret`${random.base62(14)}.atlasv1.${random.base62(67)}`,
  ]),
  saas.token('prefect-key', 'Prefect API key', 'PREFECT_API_KEY', [
    (random) => secret`pnu_${random.base62(36)}`,
  ]),
  saas.token('linear-key', 'Linear API key', 'LINEAR_API_KEY', [
    (random) => secret`lin_api_${random.base62(40)}`,
    (random) => secret`lin_oauth_${random.hex(64)}`,
  ]),
  saas.token('vault-token', 'Vault token', 'VAULT_TOKEN', [
    (random) => secret`hvs.${random.base62(24)}`,
    (random) => secret`hvs.CAESI${random.base64Url(90)}`,
    (random) => secret`hvb.AAAAAQ${random.base64Url(150)}`,
  ]),
  saas.bare('vault-legacy-token', 'Vault root token', 'VAULT_TOKEN', [
    (random) => secret`s.${random.base62(24)}`,
  ]),
  saas.token('shippo-token', 'Shippo token', 'SHIPPO_TOKEN', [
    (random) => secret`shippo_live_${random.hex(40)}`,
    (random) => secret`shippo_test_${random.hex(40)}`,
  ]),
  saas.token('shopify-token', 'Shopify token', 'SHOPIFY_ACCESS_TOKEN', [
    (random) => secret`shpat_${random.hex(32)}`,
    (random) => secret`shpss_${random.hex(32)}`,
    (random) => secret`shppa_${random.hex(32)}`,
  ]),
  saas.token('contentful-token', 'Contentful token', 'CONTENTFUL_MANAGEMENT_TOKEN', [
    (random) => secret`CFPAT-${random.base64Url(43)}`,
  ]),
]

const user = (random: Random) => plain(userName(random))
const host = (random: Random) => plain(hostName(random))
const service = (random: Random) => plain(serviceName(random))

/** A PEM block in base64: its first line tells nothing. */
function kubeconfig(random: Random): Value {
  const label = privateKeyLabel('RSA ')
  const first = base64Of(`-----BEGIN ${label}-----\nMIIEpAIBAAKCAQEA1234`.slice(0, 48))
  const rest = base64Of(`${random.base64(1200)}\n-----END ${label}-----\n`)
  return secret`users:\n- name: ${user(random)}\n  user:\n    client-key-data: ${plain(first)}${rest}`
}
