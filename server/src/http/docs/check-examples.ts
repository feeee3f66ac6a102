import { compileShape } from '../../shape.ts'
import type { OpenApiDocument, Operation, Parameter, Schema } from './openapi-types.ts'
import { listOperations } from './operation.ts'

/** Describes every example that is missing or does not match its schema, with what to do. */
export function findExampleFaults({ paths, components }: OpenApiDocument): string[] {
  const definitions = JSON.stringify(components.schemas)
  const check = (place: string, schema: Schema, example: unknown): string[] => {
    if (example === undefined) return [`${place} is missing`]
    const text = `{"$defs":${definitions},"schema":${JSON.stringify(schema)}}`
    const { $defs, schema: own } = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as {
      $defs: object
      schema: object
    }
    const validate = compileShape({ ...own, $defs })
    if (validate(example)) return []
    const [error] = validate.errors ?? []
    return [`${place} does not match its schema: ${error?.instancePath ?? ''} ${error?.message ?? ''}`]
  }
  const events = Object.entries(components.schemas).filter(([, schema]) => 'examples' in schema)
  return [
    ...listOperations(paths).flatMap((operation) =>
      listExamples(operation).flatMap(({ place, schema, example }) =>
        check(place, schema, example).map(
          (fault) => `${operation.operationId}: ${fault}. Correct \`example\` of its endpoint.`,
        ),
      ),
    ),
    ...events.flatMap(([name, schema]) =>
      check('the example', schema, schema.examples?.[0]).map(
        (fault) => `${name}: ${fault}. Correct \`example\` of the event kind.`,
      ),
    ),
  ]
}

interface PlacedExample {
  readonly place: string
  readonly schema: Schema
  readonly example: unknown
}

/** Required parameters, bodies of requests and successful responses must have one; other parameters may. */
function listExamples({ parameters, requestBody, responses }: Operation): PlacedExample[] {
  const isShown = (parameter: Operation['parameters'][number]): parameter is Parameter =>
    'name' in parameter && (parameter.required || parameter.example !== undefined)
  const bodies = Object.entries(requestBody?.content ?? {})
  const replies = Object.entries(responses).filter(([status]) => status < '400')
  return [
    ...parameters.filter(isShown).map(({ name, schema, example }) => {
      return { place: `the example of the parameter ${name}`, schema, example }
    }),
    ...bodies.map(([type, { schema, example }]) => {
      return { place: `the example of the body (${type})`, schema, example }
    }),
    ...replies.flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, { schema, example }]) => {
        return { place: `the example of the response ${status} (${type})`, schema, example }
      }),
    ),
  ]
}
