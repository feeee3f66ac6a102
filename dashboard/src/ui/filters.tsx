import { Popover } from '@base-ui/react/popover'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useContext, useState } from 'react'
import { UNSAFE_DataRouterContext, useNavigate, useSearchParams } from 'react-router'
import { repositoriesQuery } from '../api/repositories.ts'
import { useOrganization } from '../frame/use-organization.ts'
import buttonStyles from './button.module.css'
import { Button } from './button.tsx'
import styles from './filters.module.css'
import { formatPeriod } from './format.ts'
import { Load } from './load.tsx'
import { DEFAULT_DAYS, lastDays, lastWeeks, type Period, readChosenPeriod, readPeriod } from './period.ts'

const MAX_REPOSITORIES = 10
const REPOSITORIES = 'repository_ids'

/** The filters of metrics, from the address. */
export function readFilters(search: URLSearchParams): Period & { readonly repository_ids?: string[] } {
  const repositories = readRepositories(search)
  return { ...readPeriod(search), ...(repositories.length > 0 && { repository_ids: repositories }) }
}

function readRepositories(search: URLSearchParams): string[] {
  return readChoices(search, REPOSITORIES).slice(0, MAX_REPOSITORIES)
}

export function readChoices(search: URLSearchParams, parameter: string): string[] {
  return (search.get(parameter) ?? '').split(',').filter(Boolean)
}

/** Changes parts of the address; null removes a part. */
export function useSearchUpdate(): (changes: Readonly<Record<string, string | null>>) => void {
  const context = useContext(UNSAFE_DataRouterContext)
  const navigate = useNavigate()
  if (context === null) throw new Error('A filter is outside of the router.')
  return (changes) => {
    // The address follows a moment later: a second change starts from the address that the first one asked for.
    const { location, navigation } = context.router.state
    const next = new URLSearchParams((navigation.location ?? location).search)
    for (const [name, value] of Object.entries(changes))
      if (value === null || value === '') next.delete(name)
      else next.set(name, value)
    void navigate(`?${next}`)
  }
}

/**
 * The values of a list of checkboxes, which are a comma-separated part of the address. The address follows a moment later:
 * without a state of its own, a box would not be checked at once, and a quick second choice would lose the first.
 */
export function useChoices(
  parameter: string,
): [chosen: readonly string[], toggle: (value: string, checked: boolean) => void, clear: () => void] {
  const [search] = useSearchParams()
  const update = useSearchUpdate()
  const [chosen, setChosen] = useState<readonly string[]>(() => readChoices(search, parameter))
  const choose = (values: readonly string[]) => {
    setChosen(values)
    update({ [parameter]: values.join(',') })
  }
  const toggle = (value: string, checked: boolean) =>
    choose(checked ? [...chosen, value] : chosen.filter((other) => other !== value))
  return [chosen, toggle, () => choose([])]
}

/** The days of a screen: a window with a default, or any days if `optional`. */
export function PeriodFilter({ optional = false }: { readonly optional?: boolean }) {
  const [search] = useSearchParams()
  const [open, setOpen] = useState(false)
  const update = useSearchUpdate()
  const chosen = readChosenPeriod(search)
  const { start_date, end_date } = chosen ?? readPeriod(search)
  const choose = (period: Period | null) => {
    update({ from: period?.start_date ?? null, to: period?.end_date ?? null })
    setOpen(false)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const [from, to] = [data.get('from'), data.get('to')]
    if (typeof from === 'string' && typeof to === 'string') choose({ start_date: from, end_date: to })
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className={`${buttonStyles['button']}`}>
        {optional && chosen === null ? 'All days' : formatPeriod(start_date, end_date)} ▾
      </Popover.Trigger>
      <FilterPopup title="Days">
        <div className={styles['presets']}>
          <Button onClick={() => choose(lastWeeks(4))}>4 weeks</Button>
          <Button onClick={() => choose(optional ? lastDays(DEFAULT_DAYS) : null)}>
            {`${DEFAULT_DAYS} days`}
          </Button>
          <Button onClick={() => choose(lastWeeks(26))}>26 weeks</Button>
          <Button onClick={() => choose(lastWeeks(52))}>52 weeks</Button>
          {optional ? <Button onClick={() => choose(null)}>All days</Button> : null}
        </div>
        <form className={styles['days']} onSubmit={submit}>
          <label>
            From <input type="date" name="from" required defaultValue={start_date} />
          </label>
          <label>
            To <input type="date" name="to" required defaultValue={end_date} />
          </label>
          <Button type="submit" kind="main">
            Show
          </Button>
        </form>
      </FilterPopup>
    </Popover.Root>
  )
}

export function RepositoryFilter() {
  const [search] = useSearchParams()
  const [open, setOpen] = useState(false)
  const chosen = readRepositories(search)
  const label =
    chosen.length === 0
      ? 'All repositories'
      : chosen.length === 1
        ? '1 repository'
        : `${chosen.length} repositories`
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className={buttonStyles['button']}>{label} ▾</Popover.Trigger>
      <FilterPopup title="Repositories">
        <RepositoryList />
      </FilterPopup>
    </Popover.Root>
  )
}

function RepositoryList() {
  const organization = useOrganization()
  const [chosen, toggle, clear] = useChoices(REPOSITORIES)
  const [text, setText] = useState('')
  const query = useQuery({ ...repositoriesQuery(organization), enabled: organization !== 'all' })
  if (organization === 'all') return <p>Choose one organization to filter by repository.</p>
  return (
    <Load query={query} what="repositories">
      {(repositories) => (
        <>
          <label className={styles['search']}>
            Name <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
          </label>
          <ul className={styles['list']}>
            {repositories
              .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
              .map(({ id, name }) => (
                <li key={id}>
                  <label>
                    <input
                      type="checkbox"
                      checked={chosen.includes(id)}
                      disabled={!chosen.includes(id) && chosen.length >= MAX_REPOSITORIES}
                      onChange={(event) => toggle(id, event.target.checked)}
                    />{' '}
                    {name}
                  </label>
                </li>
              ))}
          </ul>
          {chosen.length > 0 ? <Button onClick={clear}>All repositories</Button> : null}
        </>
      )}
    </Load>
  )
}

export function FilterPopup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Popover.Portal>
      <Popover.Positioner align="end" sideOffset={6} className={styles['positioner']}>
        <Popover.Popup className={styles['popup']}>
          <Popover.Title className={styles['title']}>{title}</Popover.Title>
          {children}
        </Popover.Popup>
      </Popover.Positioner>
    </Popover.Portal>
  )
}
