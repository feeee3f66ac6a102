import { formatDate, formatDaysFromNow } from '../../ui/format.ts'

const systemRoles: Readonly<Record<string, string>> = {
  cr_admin: 'Admin',
  cr_member: 'Member',
  cr_billing_admin: 'Billing admin',
}

/** The assigned role. A workspace admin acts as an admin whatever is assigned. */
export function describeRole(role: string, roleName: string): string {
  const name = systemRoles[roleName] ?? roleName
  return role === 'cr_admin' && roleName !== 'cr_admin' ? `${name} (admin of the workspace)` : name
}

export function describeActivity(time: string | null): string {
  return time === null ? 'never seen' : `${formatDate(time)}, ${formatDaysFromNow(time)}`
}
