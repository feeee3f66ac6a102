// The sections of the documentation. A page that is in none of them is listed under "More".
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'

// The text of a link is the heading of its page.
const sections: Readonly<Record<string, readonly string[]>> = {
  Start: ['index', 'start', 'concepts'],
  Guides: [
    'connect',
    'reviewer',
    'agents',
    'learnings',
    'rules-files',
    'sync',
    'metrics',
    'dashboard',
    'sdk',
    'cli',
  ],
  Reference: ['api', 'endpoints', 'api-conventions', 'events', 'settings', 'commands', 'terminal'],
  Administration: ['keys', 'people', 'sign-in', 'scim', 'offboarding', 'audit', 'security-findings'],
  Operation: [
    'operations',
    'kubernetes',
    'availability',
    'backup',
    'scale',
    'sql',
    'embedding',
    'hardening',
    'redaction',
    'troubleshooting',
  ],
  Project: ['compare', 'architecture', 'proofs', 'results'],
}

export function createSidebar(folder: string): DefaultTheme.SidebarItem[] {
  const listed = new Set(Object.values(sections).flat())
  const others = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .filter((page) => !listed.has(page))
  return Object.entries({ ...sections, ...(others.length > 0 && { More: others }) }).map(([text, pages]) => ({
    text,
    items: pages.flatMap((page) => toItem(folder, page)),
  }))
}

function toItem(folder: string, page: string): DefaultTheme.SidebarItem[] {
  // The server renders the API reference; a target makes the browser load it instead of VitePress' router.
  if (page === 'api') return [{ text: 'API reference', link: '/api', target: '_self' }]
  const file = join(folder, `${page}.md`)
  if (!existsSync(file)) return []
  const title = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]
  return [{ text: title ?? page, link: page === 'index' ? '/' : `/${page}` }]
}
