import styles from './keys.module.css'
import { nameResource } from './role-permissions.ts'

interface PermissionChoiceProps {
  readonly legend: string
  /** All that can be chosen: `learning:read`. */
  readonly permissions: readonly string[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** Checkboxes by resource. */
export function PermissionChoice({ legend, permissions, chosen, onChange }: PermissionChoiceProps) {
  const toggle = (permission: string, checked: boolean) =>
    onChange(new Set(checked ? [...chosen, permission] : [...chosen].filter((one) => one !== permission)))
  const resources = Map.groupBy(permissions, (permission) => permission.split(':')[0] ?? '')
  return (
    <fieldset className={styles['choice']}>
      <legend>
        {legend}: {chosen.size} of {permissions.length}
      </legend>
      {[...resources].map(([resource, own]) => (
        <div key={resource} className={styles['resource']} role="group" aria-label={nameResource(resource)}>
          <span>{nameResource(resource)}</span>
          {own.map((permission) => (
            <label key={permission} className={styles['check']}>
              <input
                type="checkbox"
                checked={chosen.has(permission)}
                onChange={({ target }) => toggle(permission, target.checked)}
              />{' '}
              {permission.split(':')[1]}
            </label>
          ))}
        </div>
      ))}
    </fieldset>
  )
}
