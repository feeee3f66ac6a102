// GitLab publishes no schemas of its API. schemas.json is written from its documentation: it makes sure that the fake sends what
// the documentation says, not that GitLab does.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ContractError } from '../contract.ts'

let ajv: Ajv2020 | null = null

function getAjv(): Ajv2020 {
  if (ajv === null) {
    ajv = new Ajv2020({ allErrors: true, strict: false })
    const text = readFileSync(new URL('schemas.json', import.meta.url), 'utf8')
    ajv.addSchema(JSON.parse(text) as object, 'gitlab')
  }
  return ajv
}

/** `shape` is a definition of schemas.json; `[name]` is a list of them. */
export function checkGitlabShape(shape: string, body: unknown): void {
  const list = /^\[(\w+)\]$/.exec(shape)?.[1]
  const validate = getAjv().getSchema(`gitlab#/definitions/${list ?? shape}`)
  if (validate === undefined) throw new ContractError(`schemas.json has no ${shape}`)
  const items = list === undefined ? [body] : body
  if (!Array.isArray(items)) throw new ContractError(`${shape} is not a list`)
  for (const item of items) {
    if (validate(item)) continue
    const errors = (validate.errors ?? [])
      .slice(0, 8)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    throw new ContractError(`${shape} breaks its schema:\n${errors.join('\n')}`)
  }
}
