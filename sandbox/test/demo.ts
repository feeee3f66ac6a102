import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Demo {
  readonly base_url: string
  readonly keys: Readonly<
    Record<
      'organization' | 'user' | 'workspace' | 'other_tenant' | 'workspace_demoted_owner' | 'ingest',
      string
    >
  >
}

export const demo = readDemo()
export const base = demo.base_url.replace(/\/$/, '')

function readDemo(): Demo {
  const file =
    process.env['SCHOLIAST_DEMO'] ?? fileURLToPath(new URL('../../.dev/demo.json', import.meta.url))
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Demo
  } catch (cause) {
    throw new Error(`no service to test with: run npm run test:clients (${file})`, { cause })
  }
}
