// What the service says about its endpoints: which errors each can return, in which body, and its rate limit.

export interface Operation {
  /** Method and path template, as in `GET /v1/organizations`. */
  readonly name: string
  readonly errors: ReadonlySet<string>
  /** Learnings endpoints return `{errors: […]}`, others `{error: …}`. */
  readonly errorBody: 'error' | 'errors'
  readonly limit: { readonly policy: string; readonly requests: number; readonly seconds: number } | null
}

export type FindOperation = (method: string, path: string) => Operation | undefined

interface Response {
  readonly content?: {
    readonly 'application/json'?: { readonly schema?: { readonly $ref?: string }; readonly examples?: object }
  }
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly responses: Readonly<Record<string, Response>>
            readonly 'x-access'?: { readonly limit?: Operation['limit'] }
          }
        >
      >
    >
  >
}

const MAX_DOCUMENT_BYTES = 16 * 1024 ** 2
const DOCUMENT_TIMEOUT_MS = 10_000

/** Reads openapi.json of the service, so that the sandbox never claims an error that an endpoint does not have. */
export async function readOperations(target: URL): Promise<FindOperation> {
  const address = new URL(`${target.pathname.replace(/\/$/, '')}/openapi.json`, target)
  const response = await fetch(address, {
    redirect: 'error',
    signal: AbortSignal.timeout(DOCUMENT_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`${address.href} is ${response.status}.`)
  let size = 0
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_DOCUMENT_BYTES) throw new Error(`${address.href} is too large.`)
    chunks.push(chunk)
  }
  return indexOperations(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Document)
}

function indexOperations({ paths }: Document): FindOperation {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses, 'x-access': access }]) => ({
      method: method.toUpperCase(),
      // A path without parameters comes before one that has a parameter in its place.
      parameters: path.split('{').length,
      pattern: new RegExp(
        `^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`,
      ),
      operation: {
        name: `${method.toUpperCase()} ${path}`,
        errors: new Set(Object.values(responses).flatMap(listErrors)),
        errorBody: Object.values(responses).some(hasErrorList) ? ('errors' as const) : ('error' as const),
        limit: access?.limit ?? null,
      },
    })),
  )
  operations.sort((left, right) => left.parameters - right.parameters)
  return (method, path) => {
    const wanted = method === 'HEAD' ? 'GET' : method
    return operations.find((one) => one.method === wanted && one.pattern.test(path))?.operation
  }
}

function listErrors({ content }: Response): string[] {
  const json = content?.['application/json']
  return /\/Errors?$/.test(json?.schema?.$ref ?? '') ? Object.keys(json?.examples ?? {}) : []
}

function hasErrorList({ content }: Response): boolean {
  return content?.['application/json']?.schema?.$ref?.endsWith('/Errors') === true
}
