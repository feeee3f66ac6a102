// The sections of the documentation. A page of docs/ that is in none of them is listed under "More".
import { existsSync, readdirSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'

type Link = readonly [text: string, page: string]

const docs = new URL('../../docs/', import.meta.url)

const sections: Readonly<Record<string, readonly Link[]>> = {
  Start: [
    ['Overview', 'index'],
    ['Ten minutes to your first metric', 'start'],
    ['Your first event', 'first-event'],
  ],
  Concepts: [
    ['Concepts', 'concepts'],
    ['Glossary', 'glossary'],
  ],
  Guides: [
    ['Connect GitHub', 'connect-github'],
    ['Connect GitLab', 'connect-gitlab'],
    ['Sync metrics to a warehouse', 'warehouse'],
    ['Sync with the API', 'sync'],
    ['Send events from a reviewer', 'reviewer'],
    ['Connect coding agents', 'agents'],
    ['Curate Learnings', 'curate'],
    ['Offboard a person', 'offboarding'],
    ['Import and export rules files', 'rules-files'],
    ['Read an acceptance rate honestly', 'acceptance-rate'],
    ['Test with forced errors', 'sandbox'],
    ['Check an installation', 'conformance'],
  ],
  Reference: [
    ['API', 'api'],
    ['Endpoints', 'endpoints'],
    ['Events', 'events'],
    ['Errors', 'errors'],
    ['Settings', 'settings'],
    ['SDK', 'sdk'],
    ['Command line', 'cli'],
    ['Commands', 'commands'],
    ['Terminal recordings', 'terminal'],
    ['Metrics and definitions', 'metrics'],
    ['Learnings', 'learnings'],
    ['Keys', 'keys'],
    ['People and seats', 'people'],
    ['Roles', 'roles'],
    ['Dashboard', 'dashboard'],
    ['Sign-in', 'sign-in'],
    ['Passkeys, invitations, links', 'passkeys'],
    ['SCIM', 'scim'],
    ['Audit log', 'audit'],
    ['Security scans', 'security-scans'],
    ['Security findings', 'security-findings'],
  ],
  Operate: [
    ['Operations', 'operations'],
    ['Scale', 'scale'],
    ['Embedding models', 'embedding'],
    ['Proofs and benchmarks', 'proofs'],
  ],
  Security: [
    ['Hardening', 'hardening'],
    ['Redaction', 'redaction'],
    ['Erase a person', 'erasure'],
  ],
  Project: [
    ['Compare', 'compare'],
    ['FAQ', 'faq'],
    ['Architecture', 'architecture'],
    ['Development', 'development'],
  ],
}

export function buildSidebar(): DefaultTheme.SidebarItem[] {
  const listed = new Set(
    Object.values(sections)
      .flat()
      .map(([, page]) => page),
  )
  const others = readdirSync(docs)
    .filter((file) => file.endsWith('.md') && !listed.has(file.slice(0, -'.md'.length)))
    .map((file): Link => [file.slice(0, -'.md'.length), file.slice(0, -'.md'.length)])
  return Object.entries({ ...sections, ...(others.length > 0 && { More: others }) }).map(([text, links]) => ({
    text,
    items: links.flatMap(toItem),
  }))
}

function toItem([text, page]: Link): DefaultTheme.SidebarItem[] {
  // The server renders the API reference; a target makes the browser load it instead of VitePress' router.
  if (page === 'api') return [{ text, link: '/api', target: '_self' }]
  if (!existsSync(new URL(`${page}.md`, docs))) return []
  return [{ text, link: page === 'index' ? '/' : `/${page}` }]
}
