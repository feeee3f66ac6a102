import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useOrganization } from '../frame/use-organization.ts'
import { organizationHeaders } from './client.ts'

/** A change in the organization of the page. Its result is shown at once, and everything else is read again: a change has side effects. */
export function useWrite<Input, Output>(
  write: (input: Input, headers: Record<string, string>) => Promise<Output>,
) {
  const organization = useOrganization()
  const queries = useQueryClient()
  return useMutation<Output, Error, Input>({
    mutationFn: (input) => write(input, organizationHeaders(organization)),
    onSettled: () => void queries.invalidateQueries(),
  })
}
