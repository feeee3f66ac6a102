// Links of docs/ work on a Git host, where a page is a file. Here they are adapted to the site.
import type { MarkdownRenderer } from 'vitepress'

// Served by the API beside the site.
const servedFiles = new Map([
  ['../openapi.json', '/openapi.json'],
  ['../events.schema.json', '/events.schema.json'],
])
const pageLink = /^[\w-]+\.md(?:#|$)/
const fileLink = /^[\w-]+\.(?!md\b|html\b)\w+$/

export function adaptLinks(md: MarkdownRenderer, base: string): void {
  const renderPageLink = md.renderer.rules.link_open
  md.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const href = toSiteLink(token?.attrGet('href') ?? '', base)
    token?.attrSet('href', href)
    const direct = servedFiles.get(href) ?? (isReference(href, base) ? href : toFileLink(href, base))
    if (token === undefined || renderPageLink === undefined || pageLink.test(href))
      return renderPageLink?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options)
    if (direct !== null) {
      // With a target, VitePress' router leaves the link to the browser.
      token.attrSet('href', direct)
      token.attrSet('target', '_self')
      return self.renderToken(tokens, index, options)
    }
    // The site has the pages of docs/ only: other files of the repository keep their name without a link.
    if (href.startsWith('../')) {
      token.tag = 'span'
      token.attrs = [['title', `In the repository: ${href.slice('../'.length)}`]]
      const end = tokens.slice(index).find(({ type }) => type === 'link_close')
      if (end !== undefined) end.tag = 'span'
      return self.renderToken(tokens, index, options)
    }
    return renderPageLink(tokens, index, options, env, self)
  }
}

/** A page that only the site has is linked as /docs/PAGE. VitePress adds the base, and fails if there is no such page. */
function toSiteLink(href: string, base: string): string {
  return href.startsWith(base) && !isReference(href, base) ? href.slice(base.length - 1) : href
}

/** The API reference, which the server renders. */
function isReference(href: string, base: string): boolean {
  return href === `${base}api` || href.startsWith(`${base}api#`)
}

function toFileLink(href: string, base: string): string | null {
  return fileLink.test(href) ? `${base}${href}` : null
}

/** The anchor of a heading, as Git hosts make it: links to headings work in both. */
export function toSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}
