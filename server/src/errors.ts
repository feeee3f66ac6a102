// The closed table of error codes with their HTTP status. http/reply.ts renders them.
const httpStatuses = {
  INVALID_REQUEST: 400,
  INVALID_CURSOR: 400,
  ORG_ID_REQUIRED: 400,
  ORG_ID_AMBIGUOUS: 400,
  BATCH_SIZE_EXCEEDED: 400,
  UNAUTHORIZED: 401,
  NO_ACTIVE_SUBSCRIPTION: 402,
  ENTERPRISE_REQUIRED: 403,
  KEY_KIND_NOT_ALLOWED: 403,
  OWNER_NOT_ADMIN: 403,
  PERMISSION_DENIED: 403,
  NOT_ADMIN: 403,
  SELF_HOSTED_ONLY: 403,
  ORGANIZATION_OUT_OF_SCOPE: 403,
  METRICS_UNAVAILABLE: 403,
  REPOSITORY_ACCESS_REQUIRED: 403,
  REAUTHENTICATION_REQUIRED: 403,
  CROSS_SITE_REQUEST: 403,
  NOT_FOUND: 404,
  ORGANIZATION_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  ROLE_IN_USE: 409,
  ROLE_NAME_TAKEN: 409,
  LEARNING_EXISTS: 409,
  PROTECTED_ROLE: 409,
  LAST_ADMIN: 409,
  KEY_IN_USE: 409,
  CONNECTOR_EXISTS: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  LEGACY_API_KEY: 410,
  RESPONSE_TOO_LARGE: 413,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  METRICS_PREPARING: 503,
  METRICS_TEMPORARILY_UNAVAILABLE: 503,
  OVERLOADED: 503,
  INDEX_FAILED: 503,
} as const

export type ErrorCode = keyof typeof httpStatuses

export const errorCodes = Object.keys(httpStatuses) as ErrorCode[]

export function getHttpStatus(code: ErrorCode): number {
  return httpStatuses[code]
}

/** Something that cannot be done: what is wrong, and what to do next. Commands of the operator print it. */
export class OperationError extends Error {
  constructor(message: string) {
    // Without a stack: an expected outcome, and capturing one was a twentieth of the cost of a refused request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'OperationError'
  }
}

/** Rejects a request with an error code. Anything else that is thrown is a defect and becomes a 500. */
export class Refusal extends OperationError {
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>
  readonly status: number

  constructor(
    code: ErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    /** Where HTTP has a more exact one than the code. */
    status: number = httpStatuses[code],
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.headers = headers
    this.status = status
  }
}

export function refuse(code: ErrorCode, message: string, headers?: Record<string, string>): never {
  throw new Refusal(code, message, headers)
}

/** For what only commands of the operator do. What requests do too is refused with an error code. */
export function refuseOperation(message: string): never {
  throw new OperationError(message)
}
