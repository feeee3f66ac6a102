import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { Operator } from '../../demo/operator.ts'
import { launchBrowser, openPage } from '../../server/test/browser.ts'

interface DashboardOptions {
  /** E-mail of the person who is signed in; null for nobody. */
  readonly person?: string | null
  /** Tenant root of the person. */
  readonly root?: string
  /** Name of an organization of the demo, the ID of another one, or `all`. */
  readonly organization?: string
  readonly screen?: string
  readonly search?: string
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<void>
}

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Method and path of every request to the API since it was opened. */
  readonly calls: string[]
  /** Errors of scripts, and what the policy of the page blocked. */
  readonly problems: readonly string[]
  /** Requests to other hosts. */
  readonly external: readonly string[]
  close(): Promise<void>
}

interface Demo {
  readonly keys: Readonly<Record<string, string>>
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly org_id: string }[]
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

const admin = fileURLToPath(new URL('../../server/src/admin.ts', import.meta.url))

const MAX_LINKS = 20

export const url = readSetting('SCHOLIAST_URL')
export const demo = JSON.parse(readFileSync(readSetting('SCHOLIAST_DEMO'), 'utf8')) as Demo

let browser: Promise<Browser> | undefined
let operator: Operator | undefined
after(async () => {
  await (await browser)?.close()
  await operator?.close()
})

/** A session is created once per person and file; tests that end it must sign in by a link of their own. */
const sessions = new Map<string, Promise<StorageState>>()

/** Opens a screen in a browser of its own and waits until nothing is loading. */
export async function openDashboard({
  person = 'ingrid.solheim@example.com',
  root = 'Meridian Freight',
  organization = 'Meridian Platform',
  screen = 'overview',
  search = '',
  theme = 'light',
  width = 1440,
  prepare,
}: DashboardOptions = {}): Promise<Visit> {
  const visit = await openBrowser({
    colorScheme: theme,
    viewport: { width, height: 900 },
    ...(person !== null && { storageState: await signInOnce(person, root) }),
  })
  await prepare?.(visit.page)
  await visit.page.goto(`${url}/app/${findOrganization(organization)}/${screen}${search}`)
  await waitUntilLoaded(visit.page)
  return visit
}

/** Waits until the screen is there and none of its parts is loading. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('h1') !== null &&
      document.querySelector('[data-loading], [aria-busy=true]') === null,
  )
}

/** A page of a browser of its own, at no address yet. */
export async function openBrowser(options: Parameters<Browser['newContext']>[0] = {}): Promise<Visit> {
  browser ??= launchBrowser()
  const { page, context, problems } = await openPage(await browser, options)
  page.setDefaultTimeout(30_000)
  const calls: string[] = []
  const external: string[] = []
  page.on('request', (request) => {
    const { origin, protocol, pathname } = new URL(request.url())
    if (origin !== url && protocol.startsWith('http')) external.push(request.url())
    if (origin === url && pathname.startsWith('/v1/')) calls.push(`${request.method()} ${pathname}`)
  })
  return { page, context, calls, problems, external, close: () => context.close() }
}

export function findOrganization(name: string): string {
  return demo.organizations.find((organization) => organization.name === name)?.id ?? name
}

/** The ID of an organization of the demo at its Git provider. */
export function findOrgId(name: string): string {
  const organization = demo.organizations.find((one) => one.name === name)
  if (organization === undefined) throw new Error(`The demo has no organization ${name}.`)
  return organization.org_id
}

/**
 * Signs in by a link of the operator, as `npm run admin -- person sign-in-link` prints it. A new link replaces that of another
 * test for the same person, so several may be needed.
 */
export async function signInByLink(page: Page, person: string, root: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_LINKS; attempt++) {
    await page.goto(await createSignInLink(person, root))
    const button = page.getByRole('button', { name: 'Continue' })
    if ((await button.count()) === 0) continue
    const [response] = await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'POST'),
      button.click(),
    ])
    if (response.status() >= 400) continue
    await page.waitForURL((address) => !address.pathname.startsWith('/auth/links/'))
    return
  }
  throw new Error(`${MAX_LINKS} links did not sign in ${person}.`)
}

export async function createSignInLink(person: string, root: string): Promise<string> {
  const { url: link } = await runAdmin<{ url: string }>('person', 'sign-in-link', person, '--root', root)
  return link
}

/** An operator's command. All of a file run in one process. */
export function runAdmin<Result>(...words: readonly string[]): Promise<Result> {
  operator ??= new Operator([process.execPath, admin], process.env)
  return operator.run<Result>(...words)
}

function signInOnce(person: string, root: string): Promise<StorageState> {
  const key = `${root} ${person}`
  const known = sessions.get(key) ?? signIn(person, root)
  sessions.set(key, known)
  return known
}

async function signIn(person: string, root: string): Promise<StorageState> {
  const { page, context } = await openBrowser()
  await signInByLink(page, person, root)
  const state = await context.storageState()
  await context.close()
  return state
}

function readSetting(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run npm run test:dashboard.`)
  return value
}
