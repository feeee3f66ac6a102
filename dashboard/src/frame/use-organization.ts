import { useParams } from 'react-router'

/** The ID of the organization in the address, or `all`. */
export function useOrganization(): string {
  return useParams()['organization'] ?? ''
}
