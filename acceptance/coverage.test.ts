import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

// Files run at the same time, on the same tenants. (`npm run check` compares rules.jsonl with the tests.)
test('no two acceptance files store pull requests in the same year', () => {
  const folder = new URL('./', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))
  const years = files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/calendarOf\((\d{4})\)/g)].map(
      ([, year]) => year ?? '',
    ),
  )
  assert.ok(years.length > 0)
  assert.deepEqual(
    years.filter((year, index) => years.indexOf(year) !== index),
    [],
  )
})
