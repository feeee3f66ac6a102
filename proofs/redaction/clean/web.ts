import { address, cursor, dataUrl, hardwareAddress, sshPublicKey } from './lookalikes.ts'
import type { Topic } from './talk.ts'

export const webTopics: readonly Topic[] = [
  {
    name: 'addresses',
    lines: [
      (t) =>
        `See https://docs.example.com/${t.module}/guides/${t.kebab}?version=${t.version}&lang=${t.locale}#limits before you change it.`,
      (t) =>
        `GET https://api.example.com/v1/${t.module}/${t.random.uuid()}/items?limit=100&cursor=${cursor(t.random)}`,
      (t) =>
        `https://www.example.org/search?q=${t.kebab}+${t.module}&utm_source=newsletter&utm_campaign=2026_${t.random.digits(2)}&gclid=none`,
      (t) => `https://git.example.com/acme/${t.module}/-/blob/main/${t.file}#L${t.number}-L${t.number + 12}`,
      (t) =>
        `The redirect goes to https://login.example.com/oauth2/authorize?response_type=code&client_id=${t.kebab}&scope=openid%20profile`,
      (t) =>
        `tokenUrl: https://login.example.com/oauth2/token, jwks_uri: https://login.example.com/.well-known/jwks.json (${t.module})`,
      (t) => `postgres://localhost:5432/${t.snake} needs no user on a developer's machine.`,
      (t) => `amqp://broker.example.net:5672/${t.module} is the default of ${t.name}.`,
      (t) => `wss://live.example.com/${t.module}?protocol=7&client=js&version=${t.version}&flash=false`,
      (t) => `file:///opt/app/${t.module}/conf/${t.kebab}.xml must not be opened by a worker.`,
      (t) =>
        `git@git.example.com:acme/${t.kebab}.git and ssh://git@git.example.com:7999/acme/${t.kebab}.git are the same.`,
      (t) =>
        `https://fonts.example.com/css2?family=Inter:wght@400;600;700&display=swap blocks the first paint of ${t.module}.`,
      (t) =>
        `Link to https://example.atlassian.net/browse/${t.module.slice(0, 4).toUpperCase()}-${t.number} in the commit.`,
      (t) =>
        `http://localhost:${t.random.between(3000, 9999)}/${t.module}/${t.kebab}?debug=true&trace=${t.random.hex(8)}`,
      (t) => `https://images.example.com/${t.random.hex(32)}/w_${t.number},h_320,c_fill/${t.kebab}@2x.jpg`,
      (t) =>
        `jdbc:postgresql://db.example.net:5432/${t.snake}?sslmode=verify-full&applicationName=${t.module}`,
      (t) =>
        `https://video.example.com/watch?v=${t.random.base64Url(11)}&t=${t.number}s shows the bug in ${t.type}.`,
    ],
  },
  {
    name: 'pictures',
    lines: [
      (t) => `background: url(${dataUrl(t.random)}) no-repeat;`,
      (t) => `<img alt="${t.kebab}" src="${dataUrl(t.random)}">`,
      (t) => `Inline pictures such as ${dataUrl(t.random)} belong in a file, ${t.reason}.`,
      (t) => `const placeholder = '${dataUrl(t.random)}'`,
      (t) => `![${t.type}](${dataUrl(t.random)})`,
      (t) => `@font-face { font-family: ${t.type}; src: url(${dataUrl(t.random)}) format('woff2') }`,
      (t) =>
        `//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb${t.random.base64(4 * t.random.between(10, 60))}`,
    ],
  },
  {
    name: 'public keys',
    lines: [
      (t) => `${sshPublicKey(t.random)} ${t.person.toLowerCase()}@laptop`,
      (t) => `authorized_keys holds ${sshPublicKey(t.random)} for ${t.module}; ${t.rule}`,
      (t) => `SHA256:${t.random.base64(43)} is the fingerprint of the host that ${t.module} trusts.`,
      (t) =>
        `-----BEGIN PUBLIC KEY-----\\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${t.random.base64(86)}==\\n-----END PUBLIC KEY-----`,
      (t) =>
        `The certificate starts with -----BEGIN CERTIFICATE----- MIID${t.random.base64(60)} and may be committed (${t.module}).`,
      (t) => `PublicKey = ${t.random.base64(43)}= # peer ${t.kebab}`,
      (t) =>
        `{"kty":"EC","crv":"P-256","kid":"${t.kebab}-${t.day}","x":"${t.random.base64Url(43)}","y":"${t.random.base64Url(43)}"}`,
      (t) =>
        `Signed by ${Array.from({ length: 10 }, () => t.random.hex(4).toUpperCase()).join(' ')}, which is the release key of ${t.library}.`,
      (t) => `recipients: age1${t.random.chars('qpzry9x8gf2tvdw0s3jn54khce6mua7l', 58)} (${t.team})`,
      (t) =>
        `pin-sha256="${t.random.base64(43)}="; max-age=${t.number}; a second pin has to exist for ${t.module}.`,
      (t) =>
        `gpg --recv-keys 0x${t.random.hex(16).toUpperCase()} before you verify ${t.library}-${t.version}.tar.gz.asc`,
      (t) =>
        `known_hosts: ${t.module}.example.net ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBB${t.random.base64(83)}=`,
    ],
  },
  {
    name: 'networks',
    lines: [
      (t) => `Do not list ${address(t.random)} in ${t.file}, ${t.reason}.`,
      (t) => `The health check of ${t.module} comes from ${address(t.random)}, let it pass.`,
      (t) => `ping6 ${address(t.random)} fails in CI; skip nothing, fix the image of ${t.module}.`,
      (t) => `MAC ${hardwareAddress(t.random)} stands for the till in the tests of ${t.name}.`,
      (t) =>
        `Write to ${t.person
          .toLowerCase()
          .normalize('NFD')
          .replaceAll(/[^a-z]/g, '')}@example.com or to ${t.module}-owners@lists.example.org first.`,
      (t) => `git config user.email "${t.kebab}@users.noreply.example.com"`,
      (t) =>
        `${t.module}.${t.team.replaceAll(' ', '-')}.svc.cluster.local:${t.random.between(3000, 9000)} resolves only inside.`,
      (t) => `allow_list = ["${address(t.random)}", "${address(t.random)}"]  # ${t.module}`,
    ],
  },
]
