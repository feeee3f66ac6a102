import type { Operation, Parameter } from './openapi-types.ts'

/** Renders the example of an operation as a curl command. Ids that only the caller knows are shell variables. */
export function renderCurl(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters.filter((parameter) => 'name' in parameter)
  const [media] = Object.entries(operation.requestBody?.content ?? {})
  const target = renderPath(path, parameters) + renderQuery(parameters)
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$SCHOLIAST_URL${target}"`,
    renderCredential(operation),
    ...(operation.parameters.some((parameter) => '$ref' in parameter)
      ? ['-H "idempotency-key: $(uuidgen)"']
      : []),
    ...(media === undefined
      ? []
      : [
          `-H 'content-type: ${media[0]}'`,
          `-d ${quoteForShell(JSON.stringify(media[1].example, null, 2) ?? '')}`,
        ]),
  ]
  return lines.join(' \\\n  ')
}

function renderCredential({ security }: Operation): string {
  const [scheme] = Object.keys(security?.[0] ?? {})
  if (scheme === 'session') return `--cookie "__Host-scholiast=$SCHOLIAST_SESSION"`
  return `-H "x-service-api-key: ${scheme === undefined ? '$SCHOLIAST_KEY' : '$SCHOLIAST_INGEST_KEY'}"`
}

/** UUIDs are those of the caller's objects; other values of the example are shown. */
function renderPath(path: string, parameters: readonly Parameter[]): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const example = parameters.find(
      (parameter) => parameter.in === 'path' && parameter.name === name,
    )?.example
    return typeof example === 'string' && !/^[0-9a-f-]{36}$/.test(example)
      ? example
      : `$${name.toUpperCase()}`
  })
}

function renderQuery(parameters: readonly Parameter[]): string {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
    .map(({ name, example }) => `${name}=${renderValue(example)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function renderValue(value: unknown): string {
  return (Array.isArray(value) ? value : [value]).map((item) => encodeURIComponent(String(item))).join(',')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
