import type { Get, Options, PathsOf } from '@scholiast/sdk'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { client, organizationHeaders } from './client.ts'

/** A read of the API: what to send, and what to show as `curl`. */
export interface Read {
  readonly path: string
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: QueryValues | undefined
}

export type QueryValues = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>
>

type QueryFor<P extends PathsOf<'get'>> = Options<'get', P>

export const queryClient = new QueryClient({
  defaultOptions: {
    // Failures are shown with the time of the next attempt, not hidden by retries.
    queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
})

/** A GET in an organization. The organization is part of the cache's key: nothing of one is shown in another. */
export function apiQuery<P extends PathsOf<'get'>>(
  organization: string,
  path: P,
  options: Omit<QueryFor<P>, 'headers' | 'signal' | 'timeoutMs'>,
) {
  return queryOptions<Get<P>>({
    queryKey: [organization, path, options],
    queryFn: ({ signal }) =>
      client
        .stream('GET', path, { ...options, signal, headers: organizationHeaders(organization) })
        .then(async (response) => (await response.json()) as Get<P>),
  })
}

/** Who is signed in. The only read without an organization. */
export const sessionQuery = queryOptions<Get<'/v1/session'>>({
  queryKey: ['session'],
  queryFn: ({ signal }) => client.get('/v1/session', { signal }),
  staleTime: 60_000,
})

export function selfQuery(organization: string) {
  return { ...apiQuery(organization, '/v1/keys/self', {}), staleTime: 60_000 }
}

/** Starts the reads of a screen before it is there, and does not wait: the screen shows what is missing. */
export function createLoader(createQueries: (organization: string, search: URLSearchParams) => object) {
  return ({ params, request }: LoaderFunctionArgs): null => {
    const queries = createQueries(params['organization'] ?? '', new URL(request.url).searchParams)
    for (const query of Object.values(queries))
      void queryClient.prefetchQuery(query as Parameters<QueryClient['prefetchQuery']>[0])
    return null
  }
}
