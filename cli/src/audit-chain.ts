import { createHash, createPublicKey, verify } from 'node:crypto'
import {
  type AuditCrypto,
  type AuditLog,
  AuditLogError,
  type AuditVerification,
  verifyAuditLog,
} from '@scholiast/sdk'
import { CliError } from './exit.ts'

/** Several times as fast as Web Crypto for many small inputs. */
const nodeCrypto: AuditCrypto = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  verifySignature: (publicKey, signature, message) =>
    verify(
      null,
      message,
      createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' }),
      signature,
    ),
}

/** Verifies an audit log without the service. With pinned keys, signatures of any other key are faults. */
export async function verifyChain(log: AuditLog, pinnedKeys: readonly string[]): Promise<AuditVerification> {
  try {
    return await verifyAuditLog(log, { pinnedKeys, crypto: nodeCrypto })
  } catch (error) {
    if (!(error instanceof AuditLogError)) throw error
    throw new CliError(`The audit log is not valid. ${error.message}`, {
      next: 'Compare it with an earlier export, and report it to the operator of the service.',
    })
  }
}
