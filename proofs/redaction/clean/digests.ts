import { commit, digest, digest64, shortCommit } from './lookalikes.ts'
import type { Topic } from './talk.ts'

export const digestTopics: readonly Topic[] = [
  {
    name: 'commits',
    lines: [
      (t) =>
        `The behaviour changed in ${commit(t.random)}; see the discussion there before touching ${t.file}.`,
      (t) => `Revert ${shortCommit(t.random)} first, then apply the fix to ${t.module}.`,
      (t) => `git diff ${shortCommit(t.random)}..${shortCommit(t.random)} -- ${t.file}`,
      (t) => `git log --oneline ${commit(t.random)}...${commit(t.random)} shows who moved ${t.type}.`,
      (t) => `Cherry-picked from commit ${commit(t.random)} (${t.module}: ${t.name}).`,
      (t) => `Since ${shortCommit(t.random)} ${t.rule}`,
      (t) =>
        `index ${shortCommit(t.random)}..${shortCommit(t.random)} 100644 is all that ${t.file} shows in the diff.`,
      (t) => `Pin the action: uses: actions/checkout@${commit(t.random)} # v${t.random.between(3, 6)}`,
      (t) => `git bisect blamed ${commit(t.random).slice(0, 16)} for the slow ${t.name}().`,
      (t) => `Fixes: ${commit(t.random).slice(0, 12)} ("${t.module}: keep ${t.snake} when it is empty")`,
      (t) =>
        `https://git.example.com/acme/${t.module}/commit/${commit(t.random)} explains why we keep ${t.type}.`,
      (t) =>
        `The submodule third_party/${t.module} stands at ${commit(t.random)}, do not move it with a feature.`,
    ],
  },
  {
    name: 'integrity',
    lines: [
      (t) =>
        `"integrity": "sha512-${digest64(t.random, 'sha512')}" belongs to ${t.library}, a changed one needs a reason.`,
      (t) =>
        `<script src="https://cdn.example.com/${t.library}@${t.version}/index.js" integrity="sha384-${digest64(t.random, 'sha384')}" crossorigin="anonymous"></script>`,
      (t) =>
        `Content-Security-Policy: script-src 'self' 'sha256-${digest64(t.random, 'sha256')}' is for the inline loader of ${t.module}.`,
      (t) =>
        `checksum = "${digest(t.random, 'sha256')}" in Cargo.lock changed without a new version of ${t.library}.`,
      (t) => `${t.library}==${t.version} --hash=sha256:${digest(t.random, 'sha256')}`,
      (t) => `yarn.lock: checksum: 10c0/${digest(t.random, 'sha512')}`,
      (t) => `github.com/acme/${t.kebab} v${t.version} h1:${digest64(t.random, 'sha256')}`,
      (t) => `github.com/acme/${t.kebab} v${t.version}/go.mod h1:${digest64(t.random, 'sha256')}`,
      (t) =>
        `golang.org/x/${t.module} v0.0.0-2026${t.random.digits(10)}-${commit(t.random).slice(0, 12)} is a pseudo version, ask for a tag.`,
      (t) =>
        `"h1:${digest64(t.random, 'sha256')}", and "zh:${digest(t.random, 'sha256')}" stand in the provider's lock file.`,
      (t) =>
        `hash = "sha256-${digest64(t.random, 'sha256')}"; must follow every bump of ${t.library} in the flake.`,
      (t) => `distributionSha256Sum=${digest(t.random, 'sha256')}`,
      (t) => `sha256 = "${digest(t.random, 'sha256')}", strip_prefix = "${t.library}-${t.version}",`,
    ],
  },
  {
    name: 'digests',
    lines: [
      (t) => `The md5 of the fixture ${t.kebab}.csv is ${digest(t.random, 'md5')}; tests compare it.`,
      (t) => `shasum -a 256 ${t.kebab}.tar.gz should print ${digest(t.random, 'sha256')}`,
      (t) => `Expected checksum ${digest(t.random, 'sha256')}, got ${digest(t.random, 'sha256')}: ${t.rule}`,
      (t) => `FROM node:24-alpine@sha256:${digest(t.random, 'sha256')}`,
      (t) => `image: ghcr.io/acme/${t.module}@sha256:${digest(t.random, 'sha256')}`,
      (t) =>
        `oid sha256:${digest(t.random, 'sha256')} size ${t.number} is a pointer, not the picture itself.`,
      (t) => `ETag: W/"${digest(t.random, 'md5')}" is weak; ${t.rule}`,
      (t) =>
        `The layer sha256:${digest(t.random, 'sha256').slice(0, 12)} grew by ${t.number} kB because of ${t.library}.`,
      (t) => `crc32 of the header is 0x${t.random.hex(8)}, ${t.reason}.`,
      (t) =>
        `File names carry their hash: ${t.kebab}.${t.random.hex(8)}.js, ${t.module}.${t.random.hex(20)}.css`,
      (t) => `dist/assets/${t.type}-${t.random.base64Url(8)}.js is not to be committed.`,
      (t) => `sha1:${digest(t.random, 'sha1')} is only a fingerprint here, ${t.reason}.`,
      (t) => `assert sha512(body).hexdigest() == "${digest(t.random, 'sha512')}"`,
      (t) => `The cache key is linux-node24-${digest(t.random, 'sha256')}, so a changed lock file misses.`,
      (t) => `restore-keys: ${t.module}-${digest(t.random, 'md5')}-`,
      (t) =>
        `/nix/store/${t.random.chars('0123456789abcdfghijklmnpqrsvwxyz', 32)}-${t.library}-${t.version}/bin was hard-coded.`,
    ],
  },
]
