import { type Static, Type } from 'typebox'
import { displayName } from '../../../names.ts'
import { closedObject } from '../../../shape.ts'

const base64Url = (maxLength: number, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: '^[A-Za-z0-9_-]*$' })

/** The parts of the browser's response that are verified. */
export const RegistrationBody = closedObject({
  id: base64Url(1400),
  clientDataJSON: base64Url(8000),
  attestationObject: base64Url(64_000),
  transports: Type.Array(Type.String({ maxLength: 32, pattern: '^[a-z-]+$' }), { maxItems: 10 }),
  name: Type.Optional(displayName(100)),
})
export type RegistrationBody = Static<typeof RegistrationBody>

export const AuthenticationBody = closedObject({
  id: base64Url(1400),
  clientDataJSON: base64Url(8000),
  authenticatorData: base64Url(8000),
  signature: base64Url(8000),
  userHandle: base64Url(100, 0),
})
export type AuthenticationBody = Static<typeof AuthenticationBody>
