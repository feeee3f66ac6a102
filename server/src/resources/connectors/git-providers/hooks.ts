import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { verify } from '@octokit/webhooks-methods'

// A hook only says that something changed: from a verified one we take where, never what.

export interface HookDelivery {
  /** The same when the Git provider sends the delivery again. */
  readonly id: string
  /** For example `pull_request_review` or `merge_request`. */
  readonly kind: string
  /** Numeric id of the repository; null = the hook is about something else. */
  readonly repositoryId: string | null
  /** Pull requests that it is about: none, one, or several for a check. */
  readonly numbers: readonly number[]
}

/** Compares in constant time. */
export async function verifyGithubHook(
  secret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<boolean> {
  const signature = headers['x-hub-signature-256']
  if (secret === '' || typeof signature !== 'string' || signature === '' || body.length === 0) return false
  // A body that is not UTF-8 changes here, so that its signature does not match.
  return await verify(secret, body.toString('utf8'), signature)
}

/** Compares in constant time, whatever the lengths are. */
export function verifyGitlabHook(secret: string, headers: IncomingHttpHeaders): boolean {
  const token = headers['x-gitlab-token']
  if (secret === '' || typeof token !== 'string') return false
  return timingSafeEqual(digest(token), digest(secret))
}

/** null = not a hook of GitHub. Call it after verifyGithubHook. */
export function readGithubHook(headers: IncomingHttpHeaders, body: Buffer): HookDelivery | null {
  const id = toName(headers['x-github-delivery'])
  const kind = toName(headers['x-github-event'])
  const payload = parseObject(readGithubBody(headers, body))
  if (id === null || kind === null || payload === null) return null
  const issue = toObject(payload['issue'])
  const checks = toObject(payload['check_run'])?.['pull_requests']
  const found = [
    toObject(payload['pull_request'])?.['number'],
    // An issue that is a pull request has this link.
    issue?.['pull_request'] ? issue['number'] : null,
    ...(Array.isArray(checks) ? checks.map((check) => toObject(check)?.['number']) : []),
  ]
  return {
    id,
    kind,
    repositoryId: toId(toObject(payload['repository'])?.['id']),
    numbers: [...new Set(found.flatMap((number) => (isNumber(number) ? [number] : [])))],
  }
}

/** null = not a hook of GitLab. Call it after verifyGitlabHook. */
export function readGitlabHook(headers: IncomingHttpHeaders, body: Buffer): HookDelivery | null {
  const payload = parseObject(body.toString('utf8'))
  const kind = toName(payload?.['object_kind']) ?? toName(payload?.['event_name'])
  if (payload === null || kind === null) return null
  const attributes = toObject(payload['object_attributes'])
  const number = kind === 'merge_request' ? attributes?.['iid'] : toObject(payload['merge_request'])?.['iid']
  return {
    id: readGitlabId(headers, body),
    kind,
    repositoryId: toId(toObject(payload['project'])?.['id']) ?? toId(payload['project_id']),
    numbers: isNumber(number) ? [number] : [],
  }
}

/** Before 17.4 there is no key. Hooks that trigger each other share their event id then, so the body decides. */
function readGitlabId(headers: IncomingHttpHeaders, body: Buffer): string {
  const key = toName(headers['idempotency-key'])
  if (key !== null) return key
  const event = toName(headers['x-gitlab-event-uuid']) ?? ''
  return createHash('sha256').update(event).update('\n').update(body).digest('hex')
}

/** The operator of an App can have its hooks sent as a form. */
function readGithubBody(headers: IncomingHttpHeaders, body: Buffer): string {
  const text = body.toString('utf8')
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  return isForm ? (new URLSearchParams(text).get('payload') ?? '') : text
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    return toObject(JSON.parse(text))
  } catch {
    return null
  }
}

function toObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
}

function toName(value: unknown): string | null {
  return typeof value === 'string' && /^[\w.-]{1,100}$/.test(value) ? value : null
}

function toId(value: unknown): string | null {
  return isNumber(value) ? String(value) : null
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}
