import { base64Of, checkDigits } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import { password, userName } from '../people.ts'
import type { Random } from '../random.ts'
import { plain, secret, type Value } from '../value.ts'

const git = kindsOf('git')
const ci = kindsOf('ci')
const registry = kindsOf('registry')

export const gitKinds: readonly Kind[] = [
  git.token('github-classic', 'GitHub token', 'GITHUB_TOKEN', [(random) => checked(random, 'ghp_')]),
  git.token('github-fine-grained', 'fine-grained GitHub token', 'GH_TOKEN', [
    (random) => secret`github_pat_11${random.upper(20)}_${random.base62(59)}`,
  ]),
  git.token('github-oauth', 'GitHub OAuth token', 'GITHUB_OAUTH_TOKEN', [
    (random) => checked(random, 'gho_'),
  ]),
  git.token('github-app', 'GitHub App token', 'GITHUB_APP_TOKEN', [
    (random) => checked(random, 'ghs_'),
    (random) => checked(random, 'ghu_'),
  ]),
  git.token('github-refresh', 'GitHub refresh token', 'GITHUB_REFRESH_TOKEN', [
    (random) => secret`ghr_1B4a2e${random.base62(70)}`,
    (random) => checked(random, 'ghr_'),
  ]),
  git.bare('azure-devops-pat', 'Azure DevOps token', 'AZURE_DEVOPS_EXT_PAT', [
    (random) => secret`${random.base32(52).toLowerCase()}`,
    (random) => secret`${random.base62(76)}AZDO${random.base62(4)}`,
  ]),
  git.bare('gitea-token', 'Gitea access token', 'GITEA_TOKEN', [(random) => secret`${random.hex(40)}`]),
  git.token('sourcegraph-token', 'Sourcegraph access token', 'SRC_ACCESS_TOKEN', [
    (random) => secret`sgp_${random.hex(16)}_${random.hex(40)}`,
    (random) => secret`sgp_${random.hex(40)}`,
    (random) => secret`sgp_local_${random.hex(40)}`,
  ]),
]

export const ciKinds: readonly Kind[] = [
  ci.bare('codecov-token', 'Codecov token', 'CODECOV_TOKEN', [(random) => secret`${random.uuid()}`]),
  ci.bare('snyk-token', 'Snyk API token', 'SNYK_TOKEN', [(random) => secret`${random.uuid()}`]),
  ci.bare('travis-token', 'Travis CI token', 'TRAVIS_API_TOKEN', [
    (random) => secret`${random.base64Url(22)}`,
  ]),
  ci.token('octopus-key', 'Octopus Deploy API key', 'OCTOPUS_API_KEY', [
    (random) => secret`API-${random.upper(26)}`,
    (random) => secret`API-${random.upper(32)}`,
  ]),
  ci.token('buildkite-token', 'Buildkite API token', 'BUILDKITE_API_TOKEN', [
    (random) => secret`bkua_${random.hex(40)}`,
  ]),
  ci.token('sonar-token', 'SonarQube token', 'SONAR_TOKEN', [
    (random) => secret`squ_${random.hex(40)}`,
    (random) => secret`sqp_${random.hex(40)}`,
    (random) => secret`sqa_${random.hex(40)}`,
  ]),
]

export const registryKinds: readonly Kind[] = [
  registry.lines('docker-config-auth', 'Docker config', 'DOCKER_AUTH_CONFIG', [
    (random) => dockerConfig(random, 'https://index.docker.io/v1/'),
    (random) => dockerConfig(random, 'images.example.com:5000'),
  ]),
  registry.token('pypi-token', 'PyPI token', 'TWINE_PASSWORD', [
    (random) => secret`pypi-AgEIcHlwaS5vcmcCJ${random.base64Url(155)}`,
    (random) => secret`pypi-AgENdGVzdC5weXBpLm9yZwI${random.base64Url(148)}`,
  ]),
  registry.token('clojars-token', 'Clojars deploy token', 'CLOJARS_PASSWORD', [
    (random) => secret`CLOJARS_${random.hex(60)}`,
  ]),
  registry.token('rubygems-key', 'RubyGems API key', 'GEM_HOST_API_KEY', [
    (random) => secret`rubygems_${random.hex(48)}`,
  ]),
  registry.token('npm-token', 'npm token', 'NPM_TOKEN', [(random) => checked(random, 'npm_')]),
  registry.token('crates-io-token', 'crates.io token', 'CARGO_REGISTRY_TOKEN', [
    (random) => secret`cio${random.base62(32)}`,
  ]),
]

/** 30 random digits and 6 that check them. */
function checked(random: Random, prefix: string): Value {
  const digits = random.base62(30)
  return secret`${plain(prefix)}${digits + checkDigits(digits)}`
}

function dockerConfig(random: Random, host: string): Value {
  const auth = base64Of(`${userName(random)}:${password(random)}`)
  return secret`{ "auths": { "${plain(host)}": { "auth": "${auth}" } } }`
}
