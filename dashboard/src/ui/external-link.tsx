import type { ReactNode } from 'react'

/** A link to the Git provider or to another page that data names. Only http and https: other addresses are shown as text. */
export function ExternalLink({
  href,
  children,
}: {
  readonly href: string | null
  readonly children: ReactNode
}) {
  if (href === null || !isWebUrl(href)) return <>{children}</>
  return (
    <a href={href} rel="noreferrer" target="_blank">
      {children}
    </a>
  )
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
