import type { Base } from './base.ts'

export const typescript: readonly Base[] = [
  {
    path: 'src/orders/repository.ts',
    renamed: 'src/storage/order-store.ts',
    comment: '//',
    code: `import type { Pool } from './pool'
import { Order, toOrder } from './order'
---
export async function findOrder(pool: Pool, id: string): Promise<Order | null> {
  const result = await pool.query('select * from orders where id = ' + id) ‹1›
  return result.rows.length === 0 ? null : toOrder(result.rows[0])
}
---
export async function listOrders(pool: Pool, customer: string, page: number) {
  const offset = page * 50
  const where = "customer = '" + customer + "'"
  const result = await pool.query('select * from orders where ' + where + ' limit 50 offset ' + offset) ‹2›
  return result.rows.map(toOrder)
}
---
export function renderNote(order: Order, target: HTMLElement): void {
  const note = order.note ?? 'no note'
  target.innerHTML = '<p class="note">' + note + '</p>' ‹3›
  target.hidden = false
}`,
    findings: {
      1: {
        rule: 'sql-injection',
        edited: "  const found = await pool.query('select id, state, note from orders where id = ' + id)",
        fixed: "  const result = await pool.query('select * from orders where id = $1', [id])",
      },
      2: {
        rule: 'sql-injection',
        edited: "  const result = await pool.query('select * from orders where ' + where + ' limit ' + size)",
        fixed: '  const result = await pool.query(pageOfCustomer, [customer, offset])',
      },
      3: {
        rule: 'dom-xss',
        edited: "  target.innerHTML = '<p class=\"note order-note\">' + (note || '–') + '</p>'",
        fixed: '  target.textContent = note',
      },
    },
    fresh: `export async function countOrders(pool: Pool, state: string): Promise<number> {
  const text = 'select count(*) as count from orders'
  const counted = await pool.query(text + " where state = '" + state + "'") ‹9›
  return Number(counted.rows[0].count)
}`,
    freshRule: 'sql-injection',
    filler: `export function isOverdue(order: Order, now: Date): boolean {
  return order.dueAt !== null && order.dueAt < now
}`,
  },
  {
    path: 'apps/web/server/files.ts',
    renamed: 'apps/web/server/downloads/handler.ts',
    comment: '//',
    code: `import { createReadStream, existsSync } from 'node:fs'
import { exec } from 'node:child_process'
import { join } from 'node:path'
import { root } from './settings'
---
export function download(request, response) {
  const name = request.query.name
  const path = join(root, name) ‹1›
  if (!existsSync(path)) {
    response.status(404).end()
    return
  }
  createReadStream(path).pipe(response)
}
---
export function thumbnail(request, response) {
  const size = request.query.size
  const name = request.params.name
  exec('convert ' + name + ' -resize ' + size + ' out.png', (error) => { ‹2›
    response.status(error ? 500 : 200).end()
  })
}
---
export function leave(request, response) {
  const next = request.query.next
  request.session.destroy()
  response.redirect(next) ‹3›
}`,
    findings: {
      1: {
        rule: 'path-traversal',
        edited: '  const path = join(root, tenant, name)',
        fixed: '  const path = join(root, basename(name))',
      },
      2: {
        rule: 'command-injection',
        edited:
          "  exec('convert -quiet ' + name + ' -resize ' + size + ' /tmp/out.png', (error, output) => {",
        fixed: "  execFile('convert', [name, '-resize', size, 'out.png'], (error) => {",
      },
      3: {
        rule: 'open-redirect',
        edited: '  response.redirect(303, next)',
        fixed: "  response.redirect(isOurs(next) ? next : '/')",
      },
    },
    fresh: `export function remove(request, response) {
  const folder = request.query.folder
  rmSync(join(root, 'uploads', folder, 'index.html')) ‹9›
  response.status(204).end()
}`,
    freshRule: 'path-traversal',
    filler: `function isImage(name) {
  return /[.](png|jpe?g|gif)$/.test(name)
}`,
  },
  {
    path: 'lib/session.js',
    renamed: 'lib/auth/session-cookie.js',
    comment: '//',
    code: `const crypto = require('crypto')
const cookie = require('./cookie')
---
function sign(value, key) {
  const digest = crypto.createHash('md5').update(value + key).digest('hex') ‹1›
  return value + '.' + digest
}
---
function newToken() {
  let token = ''
  while (token.length < 32) {
    token += Math.random().toString(36).slice(2) ‹2›
  }
  return token.slice(0, 32)
}
---
function write(response, token) {
  const options = { path: '/', maxAge: 3600 }
  response.setHeader('Set-Cookie', cookie.write('sid', token, { httpOnly: false })) ‹3›
  response.setHeader('Cache-Control', 'no-store')
}
---
module.exports = { sign, newToken, write }`,
    findings: {
      1: {
        rule: 'weak-hash',
        edited: "  const mac = crypto.createHash('md5').update(key + ':' + value).digest('base64')",
        fixed: "  const digest = crypto.createHmac('sha256', key).update(value).digest('hex')",
      },
      2: {
        rule: 'weak-random',
        edited: '    token += Math.random().toString(16).substring(2, 10)',
        fixed: "    token += crypto.randomBytes(16).toString('hex')",
      },
      3: {
        rule: 'cookie-without-http-only',
        edited:
          "  response.setHeader('Set-Cookie', cookie.write('session', token, { ...options, httpOnly: false }))",
        fixed:
          "  response.setHeader('Set-Cookie', cookie.write('sid', token, { httpOnly: true, secure: true }))",
      },
    },
    fresh: `function etagOf(body) {
  const sum = crypto.createHash('md5') ‹9›
  sum.update(body)
  return sum.digest('base64')
}`,
    freshRule: 'weak-hash',
    filler: `function isExpired(session, now) {
  return session.until <= now
}`,
  },
]
