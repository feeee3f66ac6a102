import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../frame/use-organization.ts'
import { explainRefusal } from '../texts.ts'
import { selfQuery } from './query.ts'

export interface Access {
  readonly allowed: boolean
  /** Why not, and what to do; empty if it is allowed. */
  readonly reason: string
  /** A new sign-in is all that is missing. */
  readonly needsSignIn?: boolean
}

const unknownYet: Access = { allowed: false, reason: 'Your permissions are being loaded.' }
const notLoaded: Access = { allowed: false, reason: 'Your permissions could not be loaded. See above.' }

/** Whether the signed-in person may call an endpoint. The service decides; no role is known here. */
export function useAccess(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string): Access {
  const { data, error } = useQuery(selfQuery(useOrganization()))
  if (data === undefined) return error === null ? unknownYet : notLoaded
  const endpoint = data.endpoints.find((one) => one.method === method && one.path === path)
  if (endpoint === undefined)
    return { allowed: false, reason: 'This version of the service does not offer it.' }
  return endpoint.allowed
    ? { allowed: true, reason: '' }
    : {
        allowed: false,
        reason: explainRefusal(endpoint.code ?? ''),
        needsSignIn: endpoint.code === 'REAUTHENTICATION_REQUIRED',
      }
}
