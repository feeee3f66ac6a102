// The sections of the documentation. A page of docs/ that is in none of them is listed under "More".
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'

const docs = new URL('../../docs/', import.meta.url)

// The text of a link is the heading of its page.
const sections: Readonly<Record<string, readonly string[]>> = {
  Start: ['index', 'start', 'first-event'],
  Concepts: ['concepts', 'glossary'],
  Guides: [
    'connect-github',
    'connect-gitlab',
    'warehouse',
    'sync',
    'reviewer',
    'agents',
    'curate',
    'offboarding',
    'rules-files',
    'acceptance-rate',
    'sandbox',
    'conformance',
  ],
  Reference: [
    'api',
    'endpoints',
    'events',
    'errors',
    'settings',
    'sdk',
    'cli',
    'commands',
    'terminal',
    'metrics',
    'learnings',
    'keys',
    'people',
    'roles',
    'dashboard',
    'sign-in',
    'passkeys',
    'scim',
    'audit',
    'security-scans',
    'security-findings',
  ],
  Operate: ['operations', 'kubernetes', 'runbooks', 'backup', 'availability', 'scale', 'embedding', 'proofs'],
  Security: ['hardening', 'redaction', 'erasure'],
  Project: ['compare', 'faq', 'architecture', 'development'],
}

export function createSidebar(): DefaultTheme.SidebarItem[] {
  const listed = new Set(Object.values(sections).flat())
  const others = readdirSync(docs)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .filter((page) => !listed.has(page))
  return Object.entries({ ...sections, ...(others.length > 0 && { More: others }) }).map(([text, pages]) => ({
    text,
    items: pages.flatMap(toItem),
  }))
}

function toItem(page: string): DefaultTheme.SidebarItem[] {
  // The server renders the API reference; a target makes the browser load it instead of VitePress' router.
  if (page === 'api') return [{ text: 'API reference', link: '/api', target: '_self' }]
  const file = new URL(`${page}.md`, docs)
  if (!existsSync(file)) return []
  if (page === 'index') return [{ text: 'Overview', link: '/' }]
  const title = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]
  return [{ text: title ?? page, link: `/${page}` }]
}
