import { useQuery } from '@tanstack/react-query'
import { useAccess } from '../../api/access.ts'
import { serviceUrl } from '../../base.ts'
import { ALL } from '../../frame/organization-switch.tsx'
import { useOrganization } from '../../frame/use-organization.ts'
import { formatCounted } from '../../ui/format.ts'
import { QueryProblem } from '../../ui/load.tsx'
import { Note } from '../../ui/page.tsx'
import { type Settings, settingsQuery } from './reads.ts'

const scopes: Readonly<Record<Settings['scope'], string>> = {
  auto: 'the Learnings of its own repository if that is public, and of the whole organization if it is private',
  global: 'the Learnings of the whole organization',
  local: 'only the Learnings of its own repository',
}

/** Which Learnings a review uses, and how long proposals wait. */
export function SettingsNote() {
  const organization = useOrganization()
  const { allowed } = useAccess('GET', '/v1/settings')
  const query = useQuery({ ...settingsQuery(organization), enabled: allowed && organization !== ALL })
  const learnings = query.data?.settings.knowledge_base.learnings
  if (learnings === undefined) return <QueryProblem query={query} what="settings" />
  const { scope, approval_delay } = learnings
  return (
    <Note>
      <b>Settings.</b> A review uses {scopes[scope]} (scope <code>{scope}</code>). Proposals from chats{' '}
      {approval_delay === 0
        ? 'are shared without approval'
        : `are approved automatically after ${formatCounted(approval_delay, 'day')}`}
      ; those from agents wait for a person.{' '}
      <a href={new URL('docs/learnings', serviceUrl).href}>How to change this</a>
    </Note>
  )
}
