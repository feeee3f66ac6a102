import { readFileSync } from 'node:fs'
import type { PersonId } from '../src/ids.ts'
import { promotePerson } from '../src/resources/people/manage.ts'
import { createScimCredential } from '../src/resources/people/scim/credentials.ts'
import type { CallOptions, TestResponse, TestService } from './call.ts'
import type { Tenant, TestRoot } from './tenant.ts'

export async function makeScimCredential(
  tenant: Tenant,
  { root }: Pick<TestRoot, 'root'>,
): Promise<{ readonly id: string; readonly value: string }> {
  return tenant.change(root, (change) => createScimCredential(change, { name: 'Test', lifetimeDays: 30 }))
}

/** A person whom the identity provider created, and whom the operator then made a workspace admin. */
export async function createScimAdmin(tenant: Tenant, url: string, credential: string): Promise<PersonId> {
  const response = await fetch(`${url}/scim/v2/Users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({
      userName: 'scim.admin@example.com',
      externalId: 'account-of-scim-admin',
      emails: [{ value: 'scim.admin@example.com', primary: true }],
    }),
  })
  const { id } = (await response.json()) as { readonly id: PersonId }
  await tenant.change(tenant.workspace.root, (change) => promotePerson(change, id))
  return id
}

/** A response with its body, which is JSON of SCIM's own type. */
export interface ScimResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ScimBody
}

/** The fields that tests read, of a resource, a list or an error. */
interface ScimBody {
  readonly id: string
  readonly userName: string
  readonly active: boolean
  readonly emails?: readonly { readonly value: string; readonly type?: string; readonly primary?: boolean }[]
  readonly members?: readonly { readonly value: string }[]
  readonly totalResults: number
  readonly Resources: readonly ScimBody[]
  readonly status: string
  readonly scimType?: string
  readonly detail: string
}

export type CallScim = (method: string, path: string, body?: unknown) => Promise<ScimResponse>

export function createScimCaller(service: Pick<TestService, 'call'>, credential: string): CallScim {
  return async (method, path, body) => {
    const answer: TestResponse = await service.call(`/scim/v2${path}`, {
      method: method as NonNullable<CallOptions['method']>,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/scim+json' },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const { status, headers, text } = answer
    return { status, headers, body: (text === '' ? {} : JSON.parse(text)) as ScimBody }
  }
}

/** A request that an identity provider sends, and what it expects; `{{name}}` stands for a value of an earlier response. */
interface Step {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly status: number
  readonly expect?: unknown
  /** The name under which the id in the response is saved. */
  readonly save?: string
}

/** Replays a file of requests. Returns what differs, by the name of the request. */
export async function replaySequence(
  call: CallScim,
  file: URL,
): Promise<{ requests: number; failures: string[] }> {
  const steps = readFileSync(file, 'utf8').trim().split('\n')
  const saved = new Map<string, string>()
  const failures: string[] = []
  for (const line of steps) {
    const text = line.replaceAll(
      /\{\{(\w{1,20})\}\}/g,
      (_match, name: string) => saved.get(name) ?? 'unknown',
    )
    const { name, method, path, body, status, expect, save } = JSON.parse(text) as Step
    const answer = await call(method, path, body)
    if (answer.status !== status)
      failures.push(`${name}: status ${answer.status} ${JSON.stringify(answer.body)}`)
    failures.push(...findDifferences(expect, answer.body).map((difference) => `${name}: ${difference}`))
    if (save !== undefined) saved.set(save, answer.body.id)
  }
  return { requests: steps.length, failures }
}

/** Expected fields must be equal; `*` stands for any value, null for an absent one. Lists have the same length. */
function findDifferences(expected: unknown, actual: unknown, path = 'body'): string[] {
  if (expected === undefined) return []
  if (expected === '*') return actual === undefined || actual === null ? [`${path} is missing`] : []
  if (expected === null) return actual === undefined ? [] : [`${path} is present`]
  if (typeof expected !== 'object')
    return expected === actual
      ? []
      : [`${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`]
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      return [`${path} is ${JSON.stringify(actual)}, not a list of ${expected.length}`]
    return expected.flatMap((item, index) => findDifferences(item, actual[index], `${path}.${index}`))
  }
  if (actual === null || typeof actual !== 'object') return [`${path} is ${JSON.stringify(actual)}`]
  return Object.entries(expected).flatMap(([name, value]) =>
    findDifferences(value, (actual as Record<string, unknown>)[name], `${path}.${name}`),
  )
}
