import { type ErrorCode, Refusal } from '../../errors.ts'

export const SCIM_TYPE = 'application/scim+json; charset=utf-8'
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The detail error keywords of RFC 7644, section 3.12, that we send. */
export type ScimErrorType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

/** A refusal that says by a keyword what is wrong. */
export class ScimRefusal extends Refusal {
  readonly scimType: ScimErrorType

  constructor(scimType: ScimErrorType, message: string, code: ErrorCode = 'INVALID_REQUEST') {
    super(code, message, {}, scimType === 'uniqueness' ? 409 : 400)
    this.scimType = scimType
  }
}

export function refuseScim(scimType: ScimErrorType, message: string): never {
  throw new ScimRefusal(scimType, message)
}

// What the shared parts of the server refuse, such as a body that is not JSON.
const typesByCode: Partial<Record<ErrorCode, ScimErrorType>> = { INVALID_REQUEST: 'invalidSyntax' }

/** The body of RFC 7644, section 3.12. */
export function renderScimError(refusal: Refusal): unknown {
  const { status, code, message } = refusal
  const known = refusal instanceof ScimRefusal ? refusal.scimType : typesByCode[code]
  const scimType = status === 400 || refusal instanceof ScimRefusal ? known : undefined
  return { schemas: [ERROR_SCHEMA], status: String(status), ...(scimType && { scimType }), detail: message }
}
