import { getCloudHost } from '../../../access/provider-host.ts'
import { rootScope } from '../../../access/scope.ts'
import type { IngestEvent } from '../../../bus/ingest-event.ts'
import { readScoped } from '../../../db/transaction.ts'
import { applySecurityEvents } from '../../../resources/security-scans/apply.ts'
import { normalizeFinding } from '../../../resources/security-scans/finding.ts'
import type { Dismissal, Scan } from '../../../resources/security-scans/payload.ts'
import type { Operator } from '../../operator.ts'
import { type DemoOrganization, type DemoRepository, type DemoRoot, demoRoots } from '../cast.ts'
import { chanceOf } from '../history/chance.ts'
import { accountIdOf, keyIdOf, rootIdOf, usernameOf } from '../ids.ts'
import { demoFlaws, type Flaw } from './flaws.ts'
import { hasHadScans, readFoundIds } from './sql.ts'

const WEEKS = 8
const DAY = 86_400_000
const HOUR = 3_600_000

/** A scan a week and tool of every repository, for the demo tenants that never had one; answers how many were written. */
export async function seedScans(operator: Operator): Promise<number> {
  let written = 0
  for (const root of demoRoots) {
    const scope = rootScope(rootIdOf(root.name))
    if (await readScoped(operator.pool, scope, (tx) => hasHadScans(scope, tx))) continue
    const scans = placesOf(root).flatMap((place) => scansOf(place, operator.now()))
    await apply(operator, root, scans)
    const found = await readScoped(operator.pool, scope, (tx) => readFoundIds(scope, tx))
    const dismissals = placesOf(root).flatMap((place) => dismissalsOf(place, found, operator.now()))
    await apply(operator, root, dismissals)
    written += scans.length
  }
  return written
}

async function apply({ pool, now }: Operator, root: DemoRoot, events: readonly IngestEvent[]): Promise<void> {
  const to = { root: rootIdOf(root.name), credential: keyIdOf('history', 0), organizations: null }
  const [left] = await applySecurityEvents({ database: pool, now }, { ...to, events })
  if (left !== undefined) throw new Error(`A scan of the demo has no place: ${left.reason}`)
}

interface Place {
  readonly root: DemoRoot
  readonly organization: DemoOrganization
  readonly repository: DemoRepository
}

function placesOf(root: DemoRoot): Place[] {
  return root.organizations.flatMap((organization) =>
    organization.repositories.map((repository) => ({ root, organization, repository })),
  )
}

function nameOf({ root, organization: { provider, orgId } }: Place) {
  return { provider, host: root.instance?.host ?? getCloudHost(provider), id: orgId }
}

function scansOf(place: Place, now: Date): IngestEvent<Scan>[] {
  const { repositoryId, name, nature } = place.repository
  const chance = chanceOf(`scan/${repositoryId}`)
  const hour = chance.integer(1, 5)
  const weeks = Array.from({ length: WEEKS }, (_, week) => week)
  return [...Map.groupBy(demoFlaws[nature], ({ tool }) => tool)].flatMap(([tool, flaws]) =>
    weeks.map((week) => {
      const at = new Date(now.getTime() - (WEEKS - week) * 7 * DAY + hour * HOUR)
      const payload: Scan = {
        organization: nameOf(place),
        repository: { id: repositoryId, name },
        scan_id: `${tool.toLowerCase()}-${name}-${week + 1}`,
        tool,
        category: '',
        branch: 'main',
        commit: null,
        complete: true,
        scanned_at: null,
        findings: flaws.filter((flaw) => isSeen(flaw, week)).map((flaw) => findingOf(flaw, week)),
      }
      const id = `demo-${payload.scan_id}`
      return { id, type: 'security_scan.completed', version: 1, occurred_at: at.toISOString(), payload }
    }),
  )
}

function isSeen({ from = 0, until = WEEKS }: Flaw, week: number): boolean {
  return from <= week && week < until
}

/** Lines move a little from week to week. */
function findingOf({ file, line, code, renamed, ...flaw }: Flaw, week: number) {
  const path = renamed !== undefined && week >= renamed.week ? renamed.file : file
  const at = line + week * 3
  return normalizeFinding({
    ...flaw,
    path,
    start: at,
    end: at,
    snippet: code,
    context: null,
    fingerprint: null,
    suppression: null,
    firstSeen: null,
  })
}

function dismissalsOf(
  place: Place,
  found: readonly { id: string; rule_id: string; repository_id: string }[],
  now: Date,
): IngestEvent<Dismissal>[] {
  const { root, organization, repository } = place
  const { email } = chanceOf(`dismissal/${repository.repositoryId}`).pick(root.people)
  const by = { id: accountIdOf(organization.provider, email), username: usernameOf(email) }
  return demoFlaws[repository.nature].flatMap(({ rule, dismissed: reason }) => {
    const finding = found.find(
      ({ rule_id, repository_id }) => rule_id === rule && repository_id === repository.repositoryId,
    )
    if (reason === undefined || finding === undefined) return []
    return [
      {
        id: `demo-dismissal-${finding.id}`,
        type: 'security_finding.dismissed',
        version: 1,
        occurred_at: new Date(now.getTime() - 3 * DAY).toISOString(),
        payload: {
          organization: nameOf(place),
          finding_id: finding.id,
          dismissed: true,
          reason,
          comment: null,
          by,
        },
      },
    ]
  })
}
