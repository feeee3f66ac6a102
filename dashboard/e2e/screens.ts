import type { Page } from 'playwright-core'
import { navigation } from '../src/frame/navigation.ts'
import { url } from './open.ts'

export const screens = navigation.map(({ screen }) => screen)

export interface Failure {
  readonly status: number
  readonly code: string
  readonly message: string
}

export const refused: Failure = {
  status: 403,
  code: 'PERMISSION_DENIED',
  message: 'The role of the caller lacks a permission.',
}

/** Requests that the frame makes for every screen. */
const frameReads = /^\/v1\/(?:session|keys\/self|learnings\/pending\?limit=200)$/

/** Lets the service answer some reads with an error. Nothing else can make it fail on every call in turn. */
export async function failReads(page: Page, choose: (call: string) => Failure | null): Promise<void> {
  await page.route(`${url}/v1/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    const failure = choose(pathname + search)
    if (failure === null) return route.fallback()
    return route.fulfill({
      status: failure.status,
      contentType: 'application/json',
      headers: {
        'x-request-id': '0b9f1f5e-0000-4000-8000-000000000000',
        ...(failure.status !== 403 && { 'retry-after': '1' }),
      },
      body: JSON.stringify({ error: { code: failure.code, message: failure.message } }),
    })
  })
}

export function isScreenRead(call: string): boolean {
  return !frameReads.test(call)
}
