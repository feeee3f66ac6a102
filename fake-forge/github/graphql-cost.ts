// What a GraphQL query costs: one point for each 100 requests that its connections need, by the sizes that it requests.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'

export interface QueryCost {
  readonly points: number
  readonly nodeCount: number
}

export class QueryLimitError extends Error {
  readonly type: string

  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

const MAX_NODES = 500_000
const MAX_PAGE = 100

type Variables = Readonly<Record<string, unknown>>

/** Throws QueryLimitError for pages above 100, connections without a size, and more than 500,000 nodes. */
export function computeCost(
  document: DocumentNode,
  variables: Variables,
  isConnection: (field: string) => boolean,
): QueryCost {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const total = { requests: 0, nodes: 0 }
  const walk = ({ selections }: SelectionSetNode, parents: number): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, parents)
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value)
        if (fragment !== undefined) walk(fragment.selectionSet, parents)
      } else if (selection.selectionSet !== undefined) {
        const size = getPageSize(selection, variables, isConnection(selection.name.value))
        if (size !== null) {
          total.requests += parents
          total.nodes += parents * size
        }
        walk(selection.selectionSet, parents * (size ?? 1))
      }
    }
  }
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) walk(definition.selectionSet, 1)
  if (total.nodes > MAX_NODES)
    throw new QueryLimitError(
      'MAX_NODE_LIMIT_EXCEEDED',
      `This query requests up to ${total.nodes} possible nodes which exceeds the maximum limit of 500,000.`,
    )
  return { points: Math.max(1, Math.round(total.requests / 100)), nodeCount: total.nodes }
}

function getPageSize(field: FieldNode, variables: Variables, isConnection: boolean): number | null {
  const size = field.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')
  const name = field.name.value
  if (size === undefined) {
    if (isConnection)
      throw new QueryLimitError(
        'MISSING_PAGINATION_BOUNDARIES',
        `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
      )
    return null
  }
  const value = valueFromASTUntyped(size.value, variables)
  if (typeof value !== 'number') return null
  if (value < 1 || value > MAX_PAGE)
    throw new QueryLimitError(
      'EXCESSIVE_PAGINATION',
      `Requesting ${value} records on the \`${name}\` connection exceeds the \`${size.name.value}\` limit of 100 records.`,
    )
  return value
}
