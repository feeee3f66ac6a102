import type { Refusal } from '../../../errors.ts'
import { type Html, html } from '../../../http/docs/html.ts'
import type { Reply } from '../../../http/reply.ts'
import type { SignInContext } from '../../../http/sign-in.ts'
import { toPublicPath } from '../../../public-url.ts'
import { type OwnPath, SIGN_IN_PATH, STYLE_PATH } from './paths.ts'

const HTML_TYPE = 'text/html; charset=utf-8'

/** Nothing is loaded, run, framed or sent elsewhere, and no address of a sign-in leaks to another site. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

export function renderPage(publicUrl: URL, title: string, body: Html, head: Html = html``): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Scholiast</title>
<link rel="stylesheet" href="${toPublicPath(publicUrl, STYLE_PATH)}">
${head}</head>
<body>
<main>
<h1>${title}</h1>
${body}</main>
</body>
</html>
`
}

export function pageReply(page: Html, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { ...pageHeaders, ...headers }, body: { text: page.markup, type: HTML_TYPE } }
}

/**
 * Goes on to a path from a page of our own: after a redirect from the provider, the browser would not send a cookie that is
 * SameSite=Strict, and after a form, its policy forbids a redirect to the provider.
 */
export function continueReply(publicUrl: URL, path: OwnPath, cookie: string, title = 'Signed in'): Reply {
  const address = toPublicPath(publicUrl, path)
  const refresh = html`<meta http-equiv="refresh" content="0;url=${address}">
`
  const body = html`<p><a href="${address}">Continue</a></p>
`
  return pageReply(renderPage(publicUrl, title, body, refresh), 200, { 'set-cookie': cookie })
}

/** Shows a refusal to a person as a page. */
export function showRefusal({ publicUrl }: SignInContext, { message, status, headers }: Refusal): Reply {
  const body = html`<p>${message}</p>
<p><a href="${toPublicPath(publicUrl, SIGN_IN_PATH)}">Sign in</a></p>
`
  return pageReply(renderPage(publicUrl, 'You are not signed in', body), status, headers)
}
