import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getNetwork } from './connections/request-slots.ts'
import { createNetworkLimit } from './network-limit.ts'

test('a bucket admits its requests, fills up with time, and says when to retry', () => {
  let now = 0
  const admit = createNetworkLimit({ requests: 30, seconds: 60 }, () => now)
  for (let n = 0; n < 30; n++) admit('192.0.2.1')
  assert.throws(() => admit('192.0.2.1'), { code: 'RATE_LIMIT_EXCEEDED', headers: { 'retry-after': '3' } })
  admit('192.0.2.2')
  now = 3000
  admit('192.0.2.1')
  assert.throws(() => admit('192.0.2.1'), { headers: { 'retry-after': '2' } })
  now = 600_000
  for (let n = 0; n < 30; n++) admit('192.0.2.1')
  assert.throws(() => admit('192.0.2.1'))
})

test('the memory of a bucket is bounded: the network that was silent for the longest time is forgotten', () => {
  const admit = createNetworkLimit({ requests: 1, seconds: 60 }, () => 0)
  admit('first')
  for (let n = 0; n < 19_999; n++) admit(`network ${n}`)
  assert.throws(() => admit('first'))
  admit('one more')
  assert.throws(() => admit('first'), 'it was used since')
  admit('network 0')
})

test('a network is an IPv4 address, or the /64 of an IPv6 address, however it is written', () => {
  const networks = [
    [['192.0.2.7', '192.0.2.7:5001', '::ffff:192.0.2.7'], '192.0.2.7'],
    [['2001:db8::1:2:3:4', '2001:db8:0:0:1::', '2001:0db8:0000:0000:9:8:7:6', '2001:db8::'], '2001:db8:0:0'],
    [['2a00:0:0:7:1:2:3:4', '2a00::7:0:0:0:1'], '2a00:0:0:7'],
    [['::1'], '0:0:0:0'],
  ] as const
  for (const [addresses, network] of networks)
    for (const address of addresses) assert.equal(getNetwork(address), network, address)
})
