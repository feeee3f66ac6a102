import type { CodeScanningAlert } from '../provider-client.ts'

export interface AlertBody {
  readonly number: number
  readonly html_url: string
  readonly state: string | null
  readonly created_at: string
  readonly updated_at?: string
  readonly fixed_at?: string | null
  readonly dismissed_at: string | null
  readonly dismissed_reason: string | null
  readonly tool: { readonly name?: string }
  readonly rule: {
    readonly id?: string | null
    readonly description?: string
    readonly security_severity_level?: 'low' | 'medium' | 'high' | 'critical' | null
    readonly tags?: readonly string[] | null
  }
  readonly most_recent_instance: {
    readonly ref?: string
    readonly commit_sha?: string
    readonly location?: {
      readonly path?: string
      readonly start_line?: number
      readonly end_line?: number
    }
  }
}

/** 404: no analysis was uploaded; 403: the feature is off, or the installation lacks the permission security_events. */
export const SCANNING_OFF: readonly number[] = [403, 404]

const reasons: ReadonlyMap<string, CodeScanningAlert['dismissedReason']> = new Map([
  ['false positive', 'false_positive'],
  ["won't fix", 'wont_fix'],
  ['used in tests', 'used_in_tests'],
])

export function toAlert(body: AlertBody): CodeScanningAlert {
  const { rule } = body
  return {
    number: body.number,
    url: body.html_url,
    state: toState(body.state),
    tool: body.tool.name ?? '',
    ruleId: rule.id ?? '',
    title: rule.description ?? '',
    severity: rule.security_severity_level ?? null,
    cwe: toCwe(rule.tags ?? []),
    ...toLocation(body.most_recent_instance),
    createdAt: body.created_at,
    updatedAt: body.updated_at ?? body.created_at,
    fixedAt: body.fixed_at ?? null,
    ...toDismissal(body),
  }
}

function toLocation({ location = {}, commit_sha, ref }: AlertBody['most_recent_instance']) {
  return {
    path: location.path ?? null,
    startLine: location.start_line ?? null,
    endLine: location.end_line ?? null,
    commit: commit_sha ?? null,
    ref: ref ?? null,
  }
}

function toDismissal({ dismissed_at, dismissed_reason: reason }: AlertBody) {
  return {
    dismissedAt: dismissed_at,
    dismissedReason: reason === null ? null : (reasons.get(reason) ?? 'other'),
  }
}

function toState(state: string | null): CodeScanningAlert['state'] {
  return state === 'fixed' || state === 'dismissed' ? state : 'open'
}

/** Tags are written `external/cwe/cwe-079`. */
function toCwe(tags: readonly string[]): string | null {
  for (const tag of tags) {
    const match = /^external\/cwe\/cwe-0*(\d{1,5})$/i.exec(tag)
    if (match?.[1]) return `CWE-${match[1]}`
  }
  return null
}
