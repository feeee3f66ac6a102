import type { Locator, Page } from 'playwright-core'

/** How a person uses a page: every flow works with either alone. */
export const ways = ['mouse', 'keyboard'] as const

export type Way = (typeof ways)[number]

const MAX_PRESSES = 300

/** Presses a button, follows a link, or changes a checkbox or a radio button. */
export async function press(way: Way, target: Locator): Promise<void> {
  if (way === 'mouse') return target.click()
  await tabTo(target)
  const kind = await target.getAttribute('type')
  await target.page().keyboard.press(kind === 'checkbox' || kind === 'radio' ? 'Space' : 'Enter')
}

export async function write(way: Way, target: Locator, text: string): Promise<void> {
  if (way === 'mouse') await target.click()
  else await tabTo(target)
  await target.page().keyboard.type(text)
}

/** Chooses the first option of a list. */
export async function chooseFirst(way: Way, target: Locator): Promise<void> {
  if (way === 'mouse') return void (await target.selectOption({ index: 0 }))
  await tabTo(target)
  await target.page().keyboard.press('Home')
}

/** Moves the focus as a person does, so that a control that cannot be reached fails the test. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  for (let count = 0; count < MAX_PRESSES; count += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await target.page().keyboard.press('Tab')
  }
  throw new Error(`${target.toString()} cannot be reached with the Tab key.`)
}

/** Presses a key until the control with this name has the focus, as a person without a mouse does. */
export async function pressUntil(page: Page, key: string, name: string): Promise<void> {
  const seen: string[] = []
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    await page.keyboard.press(key)
    const focused = await page.evaluate(readFocusedName)
    if (focused === name) return
    seen.push(focused)
  }
  throw new Error(`${key} does not reach "${name}". Reached: ${[...new Set(seen)].join(' | ')}`)
}

/** Runs in the page. */
function readFocusedName(): string {
  const element = document.activeElement
  if (!(element instanceof HTMLElement)) return ''
  const label = element instanceof HTMLInputElement ? element.labels?.[0]?.innerText : undefined
  return (element.getAttribute('aria-label') ?? label ?? element.innerText).trim().replaceAll(/\s+/g, ' ')
}
