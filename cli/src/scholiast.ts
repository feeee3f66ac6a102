#!/usr/bin/env node
// Says which Node.js is needed, so old versions must be able to load this file: it has no static imports and no top-level await.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) {
  void import('./start.ts')
} else {
  process.stderr.write(`scholiast needs Node.js 22.18 or later. This is ${process.version}.\n`)
  process.exitCode = 1
}
