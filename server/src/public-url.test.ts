import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from './config.ts'
import { toPublicPath, toPublicUrl } from './public-url.ts'

const read = (text: string) => readSettings({ PUBLIC_URL: text }, (settings) => settings.publicUrl())

test('addresses contain the path of PUBLIC_URL, with or without a slash at its end', () => {
  for (const [text, path, url] of [
    ['https://host.example.com', '/app', 'https://host.example.com/app'],
    ['https://host.example.com/', '/app', 'https://host.example.com/app'],
    ['https://host.example.com/a/b', '/a/b/app', 'https://host.example.com/a/b/app'],
    ['https://host.example.com:8443/a/', '/a/app', 'https://host.example.com:8443/a/app'],
    ['http://localhost:8420', '/app', 'http://localhost:8420/app'],
  ] as const) {
    const publicUrl = read(text) ?? assert.fail()
    assert.deepEqual([toPublicPath(publicUrl, '/app'), toPublicUrl(publicUrl, '/app')], [path, url], text)
  }
  assert.equal(toPublicPath(null, '/app'), '/app')
})

test('PUBLIC_URL has no query, fragment, password, odd characters or plain http of another host', () => {
  for (const text of [
    'host.example.com',
    'http://host.example.com',
    'https://host.example.com/?a=1',
    'https://host.example.com/#a',
    'https://user:secret@host.example.com',
    'https://host.example.com/a//b',
    'https://host.example.com/a/../b',
    "https://host.example.com/a'b",
    'https://host.example.com/$&',
  ])
    assert.throws(() => read(text), /PUBLIC_URL must be an address/, text)
})
