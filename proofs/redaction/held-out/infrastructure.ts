import { base64Of } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import { serviceName } from '../people.ts'
import type { Random } from '../random.ts'
import { plain, secret, type Value } from '../value.ts'

const cloud = kindsOf('cloud')
const git = kindsOf('git')
const ci = kindsOf('ci')
const registry = kindsOf('registry')

export const heldOutCloudKinds: readonly Kind[] = [
  cloud.bare('ovh-secret', 'OVH application secret', 'OVH_APPLICATION_SECRET', [
    (random) => secret`${random.base62(32)}`,
    (random) => secret`${random.hex(32)}`,
  ]),
  cloud.bare('vercel-token', 'Vercel token', 'VERCEL_TOKEN', [(random) => secret`${random.base62(24)}`]),
  cloud.bare('ibm-cloud-key', 'IBM Cloud API key', 'IBMCLOUD_API_KEY', [
    (random) => secret`${random.base64Url(44)}`,
  ]),
  cloud.address('azure-storage-key', 'storage connection string', 'AZURE_STORAGE_CONNECTION_STRING', [
    (random) =>
      secret`DefaultEndpointsProtocol=https;AccountName=${account(random)};AccountKey=${base64Of(random.bytes(64))};EndpointSuffix=core.windows.net`,
    (random) => secret`AccountName=${account(random)};AccountKey=${base64Of(random.bytes(64))}`,
  ]),
  cloud.token('aws-access-key-id', 'AWS access key', 'AWS_ACCESS_KEY_ID', [
    (random) => secret`AKIA${random.base32(16)}`,
    (random) => secret`ASIA${random.base32(16)}`,
  ]),
  cloud.bare('aws-secret-access-key', 'AWS secret access key', 'AWS_SECRET_ACCESS_KEY', [
    (random) => secret`${random.base64(40)}`,
  ]),
  cloud.token('aws-session-token', 'AWS session token', 'AWS_SESSION_TOKEN', [
    (random) => secret`IQoJb3JpZ2luX2Vj${random.base64(340)}==`,
    (random) => secret`FwoGZXIvYXdzE${random.base64(255)}=`,
  ]),
  cloud.token('tencent-secret-id', 'Tencent Cloud SecretId', 'TENCENTCLOUD_SECRET_ID', [
    (random) => secret`AKID${random.base62(32)}`,
  ]),
  cloud.address('azure-sas-url', 'blob address', 'BLOB_SAS_URL', [
    (random) =>
      sasUrl(random, 'sp=r&st=2026-01-05T09:00:00Z&se=2027-01-05T17:00:00Z&spr=https&sv=2022-11-02&sr=b'),
    (random) => sasUrl(random, 'sv=2023-01-03&ss=bfqt&srt=sco&sp=rwdlacup&se=2028-03-01T00%3A00%3A00Z'),
  ]),
  cloud.token('netlify-token', 'Netlify token', 'NETLIFY_AUTH_TOKEN', [
    (random) => secret`nfp_${random.base62(36)}`,
  ]),
]

export const heldOutGitKinds: readonly Kind[] = [
  git.token('bitbucket-app-password', 'Bitbucket app password', 'BITBUCKET_APP_PASSWORD', [
    (random) => secret`ATBB${random.base62(24)}${random.hex(8).toUpperCase()}`,
  ]),
  git.token('gitlab-pat', 'GitLab token', 'GITLAB_TOKEN', [
    (random) => secret`glpat-${random.base64Url(20)}`,
    (random) => secret`glpat-${random.base64Url(36)}.01.${random.lower(9)}`,
  ]),
  git.token('gitlab-runner', 'GitLab runner token', 'CI_RUNNER_TOKEN', [
    (random) => secret`glrt-${random.base64Url(20)}`,
    (random) => secret`GR1348941${random.base64Url(20)}`,
  ]),
  git.token('gitlab-deploy', 'GitLab deploy token', 'CI_DEPLOY_PASSWORD', [
    (random) => secret`gldt-${random.base64Url(20)}`,
    (random) => secret`glptt-${random.hex(40)}`,
    (random) => secret`glcbt-${random.base62(2)}_${random.base64Url(20)}`,
  ]),
]

export const heldOutCiKinds: readonly Kind[] = [
  ci.bare('drone-token', 'Drone CI token', 'DRONE_TOKEN', [(random) => secret`${random.base62(32)}`]),
  ci.bare('jenkins-token', 'Jenkins API token', 'JENKINS_API_TOKEN', [
    (random) => secret`11${random.hex(32)}`,
  ]),
  ci.token('circleci-token', 'CircleCI token', 'CIRCLE_TOKEN', [
    (random) => secret`CCIPAT_${random.base62(22)}_${random.hex(40)}`,
    (random) => secret`CCIPRJ_${random.base62(22)}_${random.hex(40)}`,
  ]),
  ci.token('appveyor-token', 'AppVeyor token', 'APPVEYOR_API_TOKEN', [
    (random) => secret`v2.${random.lower(20)}`,
  ]),
]

export const heldOutRegistryKinds: readonly Kind[] = [
  registry.token('artifactory-key', 'Artifactory API key', 'ARTIFACTORY_API_KEY', [
    (random) => secret`AKCp${random.base62(69)}`,
    (random) => secret`cmVmdGtuOjAxOj${random.base62(50)}`,
  ]),
  registry.token('docker-hub-token', 'Docker Hub token', 'DOCKERHUB_TOKEN', [
    (random) => secret`dckr_pat_${random.base64Url(27)}`,
    (random) => secret`dckr_oat_${random.base64Url(32)}`,
  ]),
  registry.token('nuget-key', 'NuGet API key', 'NUGET_API_KEY', [(random) => secret`oy2${random.lower(43)}`]),
]

const account = (random: Random) => plain(`${serviceName(random)}store${random.digits(3)}`)

function sasUrl(random: Random, query: string): Value {
  const path = plain(
    `${account(random).text}.blob.core.windows.net/exports/${serviceName(random)}.csv?${query}`,
  )
  return secret`https://${path}&sig=${encodeURIComponent(base64Of(random.bytes(32)))}`
}
