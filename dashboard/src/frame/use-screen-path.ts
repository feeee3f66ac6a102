import { useLocation } from 'react-router'
import { type Screen, screenPath } from '../paths.ts'
import { useOrganization } from './use-organization.ts'

const shared = new Set(['from', 'to', 'repository_ids'])

/** The address of another screen. Days and repositories stay when the screen changes. */
export function useScreenPath(): (screen: Screen) => string {
  const organization = useOrganization()
  const { search } = useLocation()
  const filters = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => shared.has(name)))
  return (screen) => screenPath(organization, screen, filters.size === 0 ? '' : `?${filters}`)
}
