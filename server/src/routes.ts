// Every endpoint of the service, in the order of the reference.
import type { Endpoint } from './http/endpoint.ts'
import { organizations, repositories } from './resources/organizations/route.ts'

export const endpoints: readonly Endpoint[] = [organizations, repositories]
