import assert from 'node:assert/strict'
import { parseTable } from '../cli/src/conformance/csv.ts'
import type { Reply } from '../cli/src/conformance/http.ts'
import { assertPage, call, demo, type KeyName } from './service.ts'

export const reviewsPath = '/v1/metrics/reviews'

export const severities = ['critical', 'major', 'minor', 'trivial', 'info']
export const categories = [
  'data_integrity_and_integration',
  'functional_correctness',
  'maintainability_and_code_quality',
  'performance_and_scalability',
  'security_and_privacy',
  'stability_and_availability',
]

export const scalars = [
  'pr_url',
  'author_id',
  'author_username',
  'organization_id',
  'organization_name',
  'repository_id',
  'repository_name',
  'status',
  'created_at',
  'ready_for_review_at',
  'first_human_review_at',
  'last_commit_at',
  'merged_at',
  'closed_at',
  'review_iterations',
  'estimated_complexity',
  'estimated_review_minutes',
] as const

export type Counter = { posted: number; accepted: number }
export type Review = Record<(typeof scalars)[number], string | number | null> & {
  pr_url: string
  counted_on: string
  coderabbit_comments: {
    total: Counter
    severity: Record<string, Counter>
    category: Record<string, Counter>
  }
}
export type ReviewsPage = { data: Review[]; next_cursor: string | null }

export function askReviews(query: string, key: KeyName = 'workspace'): Promise<Reply> {
  return call(`${reviewsPath}?${query}`, { key: demo.keys[key] })
}

export async function readReviews(query: string, key: KeyName = 'workspace'): Promise<ReviewsPage> {
  const reply = await askReviews(query, key)
  assertPage(reply)
  return reply.body as ReviewsPage
}

/** Every page of a query, one after the other, from the cursor on that it may have. */
export async function readAllReviews(query: string, key: KeyName = 'workspace'): Promise<Review[]> {
  const found: Review[] = []
  const search = new URLSearchParams(query)
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await readReviews(search.toString(), key)
    found.push(...page.data)
    cursor = page.next_cursor
    search.set('cursor', cursor ?? '')
  }
  return found
}

export async function askTable(query: string): Promise<{ reply: Reply; lines: string[][] }> {
  const reply = await askReviews(`${query}&format=csv`)
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8')
  return { reply, lines: parseTable(reply.text) }
}
