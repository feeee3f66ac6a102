import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDashboard } from './open.ts'
import { screens } from './screens.ts'

const folder = process.env['SCHOLIAST_SCREENSHOTS'] ?? ''
const widths = [1440, 1024, 768]

// Every screen in both themes and three widths, for people to look at: .dev/screenshots. Nothing may be wider than the window.
for (const screen of screens)
  test(`${screen} fits into ${widths.join(', ')} px`, async () => {
    const visit = await openDashboard({ screen })
    // What fits into a window, for the documentation: docs/dashboard.md.
    await visit.page.screenshot({ path: `${folder}/${screen}.png` })
    for (const theme of ['light', 'dark'] as const) {
      await visit.page.emulateMedia({ colorScheme: theme })
      for (const width of widths) {
        await visit.page.setViewportSize({ width, height: 900 })
        await visit.page.screenshot({ path: `${folder}/${screen}-${theme}-${width}.png`, fullPage: true })
        const overflow = await visit.page.evaluate(
          () => document.documentElement.scrollWidth - window.innerWidth,
        )
        assert.ok(overflow <= 0, `${screen} is ${overflow} px wider than ${width} px`)
      }
    }
    await visit.close()
  })
