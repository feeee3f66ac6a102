import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUsage, MAX_TOOLS, type ServerUsage } from './usage.ts'

const server = (name: string, ...tools: [string, number, number][]): ServerUsage => ({
  name,
  tools: tools.map(([tool, calls, errors]) => ({ name: tool, calls, errors })),
})

test('calls and errors are summed by server and tool, sorted by name', () => {
  const stored = addUsage(null, [[server('b', ['y', 2, 1]), server('a', ['x', 1, 0])]])
  const reported = [server('b', ['y', 3, 0], ['x', 1, 1], ['y', 1, 1])]
  assert.equal(
    addUsage(stored, [reported, [server('é"', ['constructor', 1, 0])]]),
    JSON.stringify([
      { name: 'a', calls: 1, tools: [{ name: 'x', calls: 1, errors: 0 }] },
      {
        name: 'b',
        calls: 7,
        tools: [
          { name: 'x', calls: 1, errors: 1 },
          { name: 'y', calls: 6, errors: 2 },
        ],
      },
      { name: 'é"', calls: 1, tools: [{ name: 'constructor', calls: 1, errors: 0 }] },
    ]),
  )
})

test('at the tool limit new tools are ignored and known tools are still counted', () => {
  const many = Array.from({ length: MAX_TOOLS + 5 }, (_, index) => server(`s${index}`, ['t', 1, 0]))
  const full = addUsage(null, [many])
  const servers = (text: string) => JSON.parse(text) as (ServerUsage & { calls: number })[]
  assert.equal(servers(full).length, MAX_TOOLS)
  const more = servers(
    addUsage(full, [[server('new', ['t', 1, 0]), server('s0', ['new', 1, 0], ['t', 4, 2])]]),
  )
  assert.equal(more.length, MAX_TOOLS)
  assert.deepEqual(
    more.find(({ name }) => name === 's0'),
    { name: 's0', calls: 5, tools: [{ name: 't', calls: 5, errors: 2 }] },
  )
})
