import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'

const script = fileURLToPath(new URL('../../scripts/browser', import.meta.url))

/** Debian's Chromium, without a window. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = execFileSync(script, { encoding: 'utf8' }).trim()
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync']
  return chromium.launch({ executablePath, args })
}

export interface TestPage {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of the page's scripts, and what its policy blocked. */
  readonly problems: readonly string[]
  readonly authenticator: TestAuthenticator
}

interface TestAuthenticator {
  readonly session: CDPSession
  readonly id: string
}

/** A page of a browser of its own, with an authenticator that has a fingerprint sensor. */
export async function openPage(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<TestPage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // Refused requests are expected; the browser reports them as errors.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId: id } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { context, page, problems, authenticator: { session, id } }
}
