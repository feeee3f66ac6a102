import assert from 'node:assert/strict'
import { dayAfter, windowOf } from './metrics-data.ts'
import { call } from './service.ts'

/** A part of a JSON Schema. */
export type Schema = {
  format?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
}
export type Operation = {
  /** Method and path, as in `GET /v1/organizations`. */
  name: string
  method: string
  path: string
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[]
  /** Schema of the successful JSON response. */
  response: Schema | undefined
}

type Document = {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: Operation['parameters']
        security?: Record<string, unknown>[]
        responses: Record<string, { content?: Record<string, { schema: Schema }> }>
      }
    >
  >
}

/** Every operation for keys that the interface document describes, with the parameters of its own. */
export async function readOperations(): Promise<Operation[]> {
  const { body } = await call('/openapi.json')
  const operations = Object.entries((body as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], security, responses }]) => {
      // Only a person who is signed in may call it (sign-in.test.ts).
      if (security?.some((way) => 'session' in way)) return []
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
      const response = success?.content?.['application/json']?.schema
      const own = parameters.filter((parameter) => !('$ref' in parameter))
      return [{ name: `${method.toUpperCase()} ${path}`, method, path, parameters: own, response }]
    }),
  )
  assert.ok(operations.length > 0)
  return operations
}

/** The query that an operation needs: the last year, where it needs a window. */
export function requiredQuery({ name, parameters }: Operation): URLSearchParams {
  const today = new Date().toISOString().slice(0, 10)
  const window = new URLSearchParams(windowOf(dayAfter(today, -366), today))
  return new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required === true)
      .map((parameter): [string, string] => [
        parameter.name,
        window.get(parameter.name) ?? assert.fail(`${name} requires ${parameter.name}`),
      ]),
  )
}
