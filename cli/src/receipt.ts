// Verifies the receipt of an offboarding without the service, alone or against an exported audit log.
import { createHash } from 'node:crypto'
import type { AuditLog, Result } from '@scholiast/sdk'
import { CliError } from './exit.ts'

export type Offboarding = Result<'post', '/v1/users/offboarding'>
export type Receipt = NonNullable<Offboarding['receipt']>

/** The rows follow each other, from the hash before the first one to the head. Throws the first fault. */
function verifyReceipt({ previous_hash, rows, head }: Receipt): void {
  let previous = previous_hash
  let expected = rows[0]?.position ?? 0
  for (const { position, digest, hash } of rows) {
    if (position !== expected) fail(`Row ${expected} is missing.`)
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(position))
    const sealed = createHash('sha256')
      .update(Buffer.from(previous, 'hex'))
      .update(bytes)
      .update(Buffer.from(digest, 'hex'))
    if (sealed.digest('hex') !== hash)
      fail(`Row ${position}: its hash does not follow from the row before it.`)
    previous = hash
    expected += 1
  }
  if (rows.length === 0 || head.position !== expected - 1 || head.hash !== previous)
    fail('The head is not the last row.')
}

/** The log has the rows of the receipt where the receipt says. Throws the first fault. */
export function verifyReceiptInLog(receipt: Receipt, links: AuditLog['links']): void {
  verifyReceipt(receipt)
  const chain = new Map(links.map((link) => [link.position, link]))
  for (const { position, digest, hash } of receipt.rows) {
    const link = chain.get(position)
    if (link === undefined) return fail(`The audit log has no row ${position}.`)
    if (link.digest !== digest || link.hash !== hash)
      fail(`Row ${position} of the audit log is not the row of the receipt.`)
  }
}

/** A saved response of an offboarding, or its receipt alone. */
export function parseReceipt(text: string, file: string): Receipt {
  try {
    const value = JSON.parse(text) as Partial<Offboarding> & Partial<Receipt>
    const receipt = (value.receipt ?? value) as Receipt
    if (Array.isArray(receipt.rows) && typeof receipt.head.hash === 'string') return receipt
  } catch {
    // Reported below.
  }
  throw new CliError(`${file} is not an offboarding receipt.`, {
    next: 'Use a file that "scholiast users offboard" wrote.',
  })
}

function fail(why: string): never {
  throw new CliError(`The receipt is not valid. ${why}`, {
    next: 'Compare it with the response of the service, and report it to the operator of the service.',
  })
}
