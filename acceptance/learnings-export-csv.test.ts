import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTable } from '../cli/src/conformance/csv.ts'
import type { Reply } from '../cli/src/conformance/http.ts'
import {
  askLearnings,
  type Learning,
  ownFile,
  ownText,
  readLearnings,
  recordFields,
  write,
} from './learnings-data.ts'
import { at } from './service.ts'

const header = recordFields.join(',')

async function askTable(query: string): Promise<{ reply: Reply; lines: string[][] }> {
  const reply = await askLearnings(`${query}&format=csv`)
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.ok(reply.text.startsWith(`${header}\r\n`))
  return { reply, lines: parseTable(reply.text).slice(1) }
}

const cellsOf = (record: Learning) => recordFields.map((field) => String(record[field] ?? ''))

test('CSV has the fields of the record as its header and one line a Learning, equal to the JSON [S-what-1 S-lother-1 P7-get-7]', async () => {
  const file = ownFile()
  await write([
    { learning: ownText('With a comma, a "quote" and\na second line.'), file },
    { learning: ownText('Straße, 日本語, 😀'), file, source_url: 'https://example.com/a?b=c,d' },
    { learning: ownText('plain'), file },
  ])
  const { data } = await readLearnings(`files=${file}`)
  const { lines } = await askTable(`files=${file}`)
  assert.deepEqual(lines, data.map(cellsOf))
  assert.equal(lines.length, 3)
})

test('a CSV without a Learning is its header alone [S-lother-1]', async () => {
  const { reply, lines } = await askTable(`files=${ownFile()}`)
  assert.equal(reply.text, `${header}\r\n`)
  assert.deepEqual(lines, [])
  assert.equal(reply.headers.get('x-next-cursor'), null)
})

test('the cursor of a CSV page is in the header x-next-cursor, absent on the last page [S-lother-1 P7-get-6]', async () => {
  const file = ownFile()
  await write([0, 1, 2, 3, 4].map(() => ({ learning: ownText(), file })))
  const { data } = await readLearnings(`files=${file}`)
  const told: string[][] = []
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { reply, lines } = await askTable(`files=${file}&limit=2${cursor && `&cursor=${cursor}`}`)
    told.push(...lines)
    cursor = reply.headers.get('x-next-cursor')
    pages += 1
  }
  assert.equal(pages, 3)
  assert.deepEqual(told, data.map(cellsOf))
})

test('cells that a spreadsheet would run get a leading quote, all others are as they were written [P7-get-10]', async () => {
  const file = ownFile()
  const dangerous = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠1', '=cmd|"/c calc"!A1', '-']
  const harmless = ["'=1", '1=1', 'a-1', '"=1"', ',=1', ';=1', '(=1)']
  const unique = ownText('')
  await write([...dangerous, ...harmless].map((learning) => ({ learning: `${learning} ${unique}`, file })))
  const { lines } = await askTable(`files=${file}`)
  const place = recordFields.indexOf('learning')
  assert.deepEqual(
    lines.map((cells) => at(cells, place)),
    [...dangerous.map((text) => `'${text} ${unique}`), ...harmless.map((text) => `${text} ${unique}`)],
  )
})

test('every cell of a CSV is guarded, not only the text [P7-get-10]', async () => {
  const file = `=${ownFile()}`
  await write([{ learning: ownText(), file }])
  const { lines } = await askTable(`files=${encodeURIComponent(file)}`)
  assert.equal(at(at(lines, 0), recordFields.indexOf('file')), `'${file}`)
})
