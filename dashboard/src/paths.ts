/** Every page of the dashboard, below /app. */
export const screens = [
  'overview',
  'findings',
  'reviewers',
  'pull-requests',
  'learnings',
  'security',
  'people',
  'keys',
  'audit',
] as const

export type Screen = (typeof screens)[number]

export function screenPath(organization: string, screen: Screen, search = ''): string {
  return `/${encodeURIComponent(organization)}/${screen}${search}`
}
