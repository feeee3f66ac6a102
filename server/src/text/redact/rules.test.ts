import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSecrets } from '../redact.ts'
import { classifyName } from './names.ts'
import { isMadeOfWords, isRandom } from './randomness.ts'
import { rules } from './rules.ts'

/** Leaves only quantifiers and groups. */
function withoutClassesAndEscapes(source: string): string {
  return source.replaceAll(/\\./g, 'e').replaceAll(/\[\^?[^\]]{0,200}\]/g, 'c')
}

test('no pattern has an unbounded quantifier', () => {
  for (const { name, pattern } of rules) {
    const left = withoutClassesAndEscapes(pattern.source)
    assert.doesNotMatch(left, /[*+]|\{[0-9]{1,5},\}/, name)
  }
})

test('every rule has a secret group, lowercase literals and a version', () => {
  for (const { name, pattern, literals, since } of rules) {
    assert.match(name, /^[a-z0-9_]{1,40}$/)
    assert.ok(pattern.source.includes('(?<secret>'), name)
    assert.ok(pattern.global && pattern.hasIndices, name)
    assert.ok(literals.length > 0, name)
    assert.deepEqual(
      literals,
      literals.map((literal) => literal.toLowerCase()),
    )
    assert.ok(since >= 1, name)
  }
})

test('no rule matches a marker', () => {
  for (const rule of rules)
    for (const { name } of rules)
      assert.deepEqual(findSecrets(`[REDACTED:${name}]`, rule), [], `${rule.name} in the marker ${name}`)
})

test('distinguishes names of secrets from similar names', () => {
  const cases: readonly (readonly [before: string, word: string, tail: string, kind: string | null])[] = [
    ['DB_', 'PASSWORD', '', 'password'],
    ['PG', 'PASSWORD', '', 'password'],
    ['bind', 'pw', '', 'password'],
    ['by', 'pass', '', null],
    ['api', 'Key', '', 'token'],
    ['the API ', 'key', '', 'token'],
    ['mon', 'key', '', null],
    ['', 'key', 'board', null],
    ['cache', 'Key', '', null],
    ['an idempotency ', 'key', '', null],
    ['the admin ', 'key', '', 'token'],
    ['a Linode ', 'key', '', 'key'],
    ['', 'TOKEN', '_TTL_SECONDS', null],
    ['', 'token', 'izer', null],
    ['', 'TOKEN', 'IZER', null],
    ['max_', 'tokens', '', null],
    ['', 'token', 'Prod', 'token'],
    ['AccessKey', 'Secret', '', 'token'],
    ['secret', 'Key', 'Ref', null],
  ]
  for (const [before, word, tail, kind] of cases)
    assert.equal(classifyName(before, word, tail), kind, before + word + tail)
})

test('distinguishes names from random strings', () => {
  for (const text of ['calculatePendingInvoice', 'pending_invoice_id', 'scram-sha-256', 'billing-2026-03-04'])
    assert.ok(isMadeOfWords(text), text)
  for (const text of ['x7Kq2ZpL9vTb4WmN', 'qzxv8k2jw0hfp3', 'KWVZQXJHGTRB']) assert.ok(isRandom(text), text)
})
