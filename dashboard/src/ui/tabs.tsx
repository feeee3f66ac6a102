import { Link, useLocation } from 'react-router'
import styles from './tabs.module.css'

export interface Tab {
  readonly label: string
  /** The search of the address that shows it. */
  readonly search: string
  readonly current: boolean
}

/** Views of a screen. Each has an address, so these are links. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label={label}>
      <ul className={styles['tabs']}>
        {tabs.map((tab) => (
          <li key={tab.label}>
            <Link
              className={styles['tab']}
              to={{ pathname, search: tab.search }}
              aria-current={tab.current ? 'page' : undefined}
              preventScrollReset
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
