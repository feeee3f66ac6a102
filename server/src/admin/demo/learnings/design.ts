import type { DemoLearnings } from './learning.ts'

// Design tokens, an Astro site and templates for print.

export const designLearnings: DemoLearnings = {
  // design-tokens
  '620118403': [
    {
      text: 'Name a token by its purpose (`color.text.danger`), not by its value (`red-600`). Components must survive a change of the palette.',
      file: 'tokens/color/',
      source: 'review',
      state: 'shared',
      ageDays: 385,
      uses: 16,
    },
    {
      text: 'Removing or renaming a token is a major release, even if "nobody uses it". The kiosks update twice a year.',
      source: 'review',
      state: 'shared',
      ageDays: 359,
      uses: 7,
    },
    {
      text: 'Contrast of text tokens against their background is at least 4.5:1, in both modes. The check is `npm run contrast`.',
      source: 'chat',
      state: 'shared',
      ageDays: 324,
      uses: 0,
    },
    {
      text: 'Spacing is a multiple of 4. There is no 6.',
      file: 'tokens/space/',
      source: 'review',
      state: 'shared',
      ageDays: 290,
      uses: 5,
    },
    {
      text: 'Transforms must be pure: same tokens in, same bytes out. CI builds twice and compares.',
      file: 'build/transforms/',
      source: 'review',
      state: 'shared',
      ageDays: 255,
      uses: 0,
    },
    {
      text: 'Add the iOS and Android names when you add a token. A web-only token leads to hex values in the apps.',
      source: 'api',
      state: 'shared',
      ageDays: 219,
      uses: 3,
    },
    {
      text: 'Screenshots in the documentation are generated. Do not commit hand-made ones.',
      file: 'docs/',
      source: 'review',
      state: 'shared',
      ageDays: 168,
      uses: 0,
    },
    {
      text: 'Motion tokens need a reduced-motion counterpart.',
      source: 'review',
      state: 'shared',
      ageDays: 104,
      uses: 2,
    },
    {
      text: 'Line heights are unitless.',
      file: 'tokens/typography.json',
      source: 'review',
      state: 'shared',
      ageDays: 29,
      uses: 0,
    },
    {
      text: '"warning" and "attention" mean the same to our users, keep only one.',
      file: 'tokens/color/status.json',
      source: 'chat',
      state: 'pending',
      ageDays: 6,
      uses: 0,
    },
    {
      text: 'Deprecated aliases may be missing in this pull request, they are generated in the last commit.',
      source: 'review',
      state: 'private',
      ageDays: 2,
      uses: 0,
    },
  ],
  // portfolio-site
  '733901255': [
    {
      text: 'Each project has a cover of 1600 × 1000 with an alt text that describes the work, not "cover".',
      file: 'src/content/projects/',
      source: 'review',
      state: 'shared',
      ageDays: 250,
      uses: 4,
    },
    {
      text: 'No third-party fonts or scripts. The site scores 100 without them and clients notice.',
      source: 'chat',
      state: 'shared',
      ageDays: 171,
      uses: 0,
    },
    {
      text: 'Only one `client:load` island per page.',
      file: 'src/layouts/Base.astro',
      source: 'review',
      state: 'shared',
      ageDays: 60,
      uses: 2,
    },
  ],
  // invoice-templates
  '733901260': [
    {
      text: 'Totals are computed before rendering. No arithmetic in templates.',
      file: 'templates/partials/totals.hbs',
      source: 'review',
      state: 'shared',
      ageDays: 222,
      uses: 3,
    },
    {
      text: 'Page breaks: `break-inside: avoid` on line items, and test with 1, 19 and 60 lines.',
      source: 'review',
      state: 'shared',
      ageDays: 140,
      uses: 0,
    },
    {
      text: 'Dutch invoices need the KvK number in the footer.',
      file: 'templates/',
      source: 'chat',
      state: 'pending',
      ageDays: 5,
      uses: 0,
    },
  ],
}
