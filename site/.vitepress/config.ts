// The documentation site: the pages of docs/ and those of scripts/site-pages.ts, built by `npm run build:site` and served by the API
// at /docs.
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { adaptLinks, toSlug } from './links.ts'
import { createSidebar } from './sidebar.ts'

const base = '/docs/'
// A copy of docs/ with the generated pages.
const pages = process.env['SITE_PAGES'] ?? fileURLToPath(new URL('../../docs', import.meta.url))
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#9c2f1c"/>' +
  '<text x="16" y="24" font-family="Georgia,serif" font-size="24" fill="#fff" text-anchor="middle">S</text></svg>'

export default defineConfig({
  title: 'Scholiast',
  description: 'Review metrics, Learnings and administration for an automated code reviewer',
  lang: 'en',
  srcDir: pages,
  base,
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  // Otherwise a style element, which the server's policy refuses, is added on every change of the appearance.
  appearance: { disableTransition: false },
  // Data of all pages in a file instead of an inline script of every page, which the server's policy would have to allow.
  metaChunk: true,
  // A dead link fails the build.
  ignoreDeadLinks: false,
  router: { prefetchLinks: false },
  markdown: { anchor: { slugify: toSlug }, config: (md) => adaptLinks(md, base) },
  themeConfig: {
    sidebar: createSidebar(pages),
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'API', link: '/api', target: '_self' },
    ],
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    externalLinkIcon: true,
  },
  /** Programs that pages offer for download. */
  buildEnd({ srcDir, outDir }) {
    for (const file of readdirSync(srcDir))
      if (/\.(?:py|mjs|sql)$/.test(file)) copyFileSync(join(srcDir, file), join(outDir, file))
  },
})
