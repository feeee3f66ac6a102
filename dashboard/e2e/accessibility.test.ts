import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { before, describe, test } from 'node:test'
import { openDashboard, type Visit } from './open.ts'
import { failReads, isScreenRead, refused, screens } from './screens.ts'
import { createEmptyTenant, type TestTenant } from './tenants.ts'

// Every screen in both themes, with data, without data and refused: accessibility, and that nothing is blocked or loaded from elsewhere.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

interface AxeWindow {
  readonly axe: { run(context: Document, options: object): Promise<AxeResults> }
}

let empty: TestTenant
before(async () => {
  empty = await createEmptyTenant()
})

const themes = ['light', 'dark'] as const

const states = {
  full: (screen: string) => openDashboard({ screen }),
  empty: (screen: string) =>
    openDashboard({
      screen,
      person: empty.admin,
      root: empty.root,
      organization: empty.organizationIds[0] ?? '',
    }),
  refused: (screen: string) =>
    openDashboard({
      screen,
      prepare: (page) => failReads(page, (call) => (isScreenRead(call) ? refused : null)),
    }),
}

for (const screen of screens)
  describe(`WCAG 2.2 AA, ${screen}`, () => {
    for (const [state, open] of Object.entries(states))
      test(`${state}, ${themes.join(' and ')}`, async () => {
        const visit = await open(screen)
        for (const colorScheme of themes) {
          await visit.page.emulateMedia({ colorScheme })
          assert.deepEqual(await findViolations(visit), [])
        }
        assert.deepEqual(visit.problems, [])
        assert.deepEqual(visit.external, [])
        await visit.close()
      })
  })

async function findViolations({ page }: Visit): Promise<readonly string[]> {
  // The debugger's evaluation is not subject to the policy of the page.
  await page.evaluate(axe)
  const { violations } = await page.evaluate(
    (values) => (globalThis as unknown as AxeWindow).axe.run(document, { runOnly: { type: 'tag', values } }),
    rules,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  )
}
