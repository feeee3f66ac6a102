import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from './fold.ts'

const folded: Readonly<Record<string, string>> = {
  cache: 'caches cached caching',
  query: 'queries queried querying',
  log: 'logs logged logging',
  match: 'matches matched matching',
  merge: 'merges merged merging',
  retry: 'retries retried retrying',
  control: 'controls controlled controlling',
  install: 'installs installed installing',
  response: 'responses',
  status: 'statuses',
  index: 'indices indexes',
  write: 'writes wrote written writing',
  optimize: 'optimise optimised optimising optimized',
  behavior: 'behaviour behaviours',
  edit: 'edits edited editing',
  refactor: 'refactored refactoring',
  float: 'floats floating',
  execute: 'executes executed executing',
  handle: 'handles handled handling',
  parse: 'parses parsed parsing',
}

test('plurals and verb forms become one word', () => {
  for (const [base, forms] of Object.entries(folded)) {
    for (const form of forms.split(' ')) assert.equal(fold(form), base, form)
    assert.equal(fold(base), base)
  }
})

test('words that only look like forms stay, and so do words of other kinds', () => {
  const kept =
    'string setting need process class kubernetes redis alias this various validation safely utf8 k8s'
  for (const word of kept.split(' ')) assert.equal(fold(word), word)
})

test('folding a second time changes nothing', () => {
  const words = 'settings addresses processes seeds releases headings statuses leaves buses uses timing using'
  for (const word of words.split(' ')) assert.equal(fold(fold(word)), fold(word), word)
})
