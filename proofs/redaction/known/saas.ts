import { base64UrlOf } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import { base62, type Random } from '../random.ts'
import { plain, secret, type Value } from '../value.ts'

const { token, bare } = kindsOf('saas')

export const saasKinds: readonly Kind[] = [
  bare('ably-key', 'Ably API key', 'ABLY_API_KEY', [
    (random) => secret`${plain(random.base62(6))}.${plain(random.base62(6))}:${random.base64Url(43)}`,
  ]),
  bare('ngrok-token', 'ngrok auth token', 'NGROK_AUTHTOKEN', [
    (random) => secret`2${random.base62(26)}_${random.base62(21)}`,
  ]),
  bare('algolia-admin-key', 'Algolia admin key', 'ALGOLIA_ADMIN_KEY', [
    (random) => secret`${random.hex(32)}`,
  ]),
  token('easypost-key', 'EasyPost API key', 'EASYPOST_API_KEY', [
    (random) => secret`EZAK${random.base62(54)}`,
    (random) => secret`EZTK${random.base62(54)}`,
  ]),
  token('airtable-token', 'Airtable token', 'AIRTABLE_TOKEN', [
    (random) => secret`pat${plain(random.base62(14))}.${random.hex(64)}`,
  ]),
  token('hubspot-token', 'HubSpot private app token', 'HUBSPOT_TOKEN', [
    (random) => secret`pat-na1-${random.uuid()}`,
    (random) => secret`pat-eu1-${random.uuid()}`,
  ]),
  token('harness-token', 'Harness token', 'HARNESS_PLATFORM_API_KEY', [
    (random) => secret`pat.${plain(random.base64Url(22))}.${plain(random.hex(24))}.${random.base62(20)}`,
    (random) => secret`sat.${plain(random.base64Url(22))}.${plain(random.hex(24))}.${random.base62(20)}`,
  ]),
  token('pulumi-token', 'Pulumi access token', 'PULUMI_ACCESS_TOKEN', [
    (random) => secret`pul-${random.hex(40)}`,
  ]),
  token('salesforce-token', 'Salesforce session', 'SF_ACCESS_TOKEN', [
    (random) => secret`00D${plain(random.base62(12))}!AQEA${random.chars(`${base62}._`, 92)}`,
  ]),
  token('clickup-token', 'ClickUp token', 'CLICKUP_API_TOKEN', [
    (random) => secret`pk_${plain(random.digits(8))}_${random.upper(32)}`,
  ]),
  token('trello-token', 'Trello token', 'TRELLO_TOKEN', [
    (random) => secret`ATTA${random.hex(64)}${random.hex(8).toUpperCase()}`,
  ]),
  token('typeform-token', 'Typeform token', 'TYPEFORM_TOKEN', [
    (random) => secret`tfp_${random.base62(44)}_${random.base62(14)}`,
  ]),
  token('mapbox-secret-token', 'Mapbox secret token', 'MAPBOX_SECRET_TOKEN', [mapboxToken]),
  token('dropbox-token', 'Dropbox token', 'DROPBOX_ACCESS_TOKEN', [
    (random) => secret`sl.${random.base64Url(135)}`,
    (random) => secret`sl.u.AF${random.base64Url(160)}`,
  ]),
  token('doppler-token', 'Doppler token', 'DOPPLER_TOKEN', [
    (random) => secret`dp.pt.${random.base62(43)}`,
    (random) => secret`dp.st.dev.${random.base62(43)}`,
    (random) => secret`dp.ct.${random.base62(43)}`,
  ]),
  token('tailscale-key', 'Tailscale key', 'TS_AUTHKEY', [
    (random) => secret`tskey-auth-k${plain(random.base62(11))}CNTRL-${random.base62(32)}`,
    (random) => secret`tskey-api-k${plain(random.base62(11))}CNTRL-${random.base62(32)}`,
    (random) => secret`tskey-client-k${plain(random.base62(11))}CNTRL-${random.base62(32)}`,
  ]),
  token('notion-token', 'Notion token', 'NOTION_TOKEN', [
    (random) => secret`secret_${random.base62(43)}`,
    (random) => secret`ntn_${random.digits(11)}${random.base62(35)}`,
  ]),
  token('postman-key', 'Postman API key', 'POSTMAN_API_KEY', [
    (random) => secret`PMAK-${random.hex(24)}-${random.hex(34)}`,
  ]),
  bare('asana-token', 'Asana access token', 'ASANA_ACCESS_TOKEN', [
    (random) => secret`1/12${plain(random.digits(14))}:${random.hex(32)}`,
    (random) => secret`2/12${plain(random.digits(14))}/12${plain(random.digits(14))}:${random.hex(32)}`,
  ]),
  token('atlassian-token', 'Atlassian API token', 'ATLASSIAN_API_TOKEN', [
    (random) => secret`ATATT3xFfGF0${random.base64Url(171)}=${random.hex(8).toUpperCase()}`,
  ]),
  token('launchdarkly-key', 'LaunchDarkly key', 'LAUNCHDARKLY_SDK_KEY', [
    (random) => secret`sdk-${random.uuid()}`,
    (random) => secret`api-${random.uuid()}`,
  ]),
]

function mapboxToken(random: Random): Value {
  const owner = base64UrlOf({ u: 'acme-maps', a: `c${random.lower(24)}` })
  return secret`sk.${plain(owner)}.${random.base64Url(22)}`
}
