import { type Statement, statement } from './connect.ts'
import type { TransactionScope } from './transaction.ts'

/** A statement that names its values instead of numbering them. */
export interface NamedStatement extends Statement {
  /** The names, in the order of the numbers that PostgreSQL gets. */
  readonly parameters: readonly string[]
  /** The values in that order. `:root`, `:organizations` and `:instance` are those of the scope. */
  bind(scope: TransactionScope, values: object): unknown[]
}

// Quoted text and casts contain colons too.
const parameterPattern = /'(?:[^']|'')*'|(?<!:):([a-z]\w*)/g

/** For statements of many values. The text is as psql reads it: `:root` becomes $1, the others are numbered as they occur. */
export function namedStatement(name: string, text: string): NamedStatement {
  const parameters = ['root']
  const numbered = text.replaceAll(parameterPattern, (found: string, parameter?: string) => {
    if (parameter === undefined) return found
    if (!parameters.includes(parameter)) parameters.push(parameter)
    return `$${parameters.indexOf(parameter) + 1}`
  })
  return {
    ...statement(name, numbered),
    parameters,
    bind(scope, values) {
      const given: Readonly<Record<string, unknown>> = { ...scope, ...values }
      return parameters.map((parameter) => {
        if (given[parameter] === undefined)
          throw new Error(`The statement ${name} has no value for :${parameter}.`)
        return given[parameter]
      })
    },
  }
}
