import type { Random } from '../tools/random.ts'
import type { Operation } from './document.ts'

const MAX_VALUES = 40

/** Where the values of a parameter or field are found in responses: a field, or the field of a tag or an operation. */
const sources: Readonly<Record<string, readonly string[]>> = {
  org_id: ['provider_organization_id', 'organization_id', 'org_id'],
  organization_ids: ['provider_organization_id', 'organization_id', 'org_id'],
  'organization.id': ['provider_organization_id', 'organization_id', 'org_id'],
  organization_id: ['listOrganizations.id'],
  repository_id: ['provider_repository_id', 'repository_id'],
  repository_ids: ['provider_repository_id', 'repository_id'],
  'repository.id': ['provider_repository_id', 'repository_id'],
  repo_id: ['provider_repository_id', 'repository_id'],
  repository_name: ['repository_name', 'listRepositories.name'],
  user_ids: ['user_id', 'author_id'],
  'author.id': ['user_id', 'author_id'],
  account_id: ['user_id'],
  cr_user_id: ['cr_user_id'],
  email: ['email'],
  learning_id: ['Learnings.id'],
  learning_ids: ['Learnings.id'],
  role_id: ['Roles.id'],
  duplicate_from: ['Roles.id'],
  key_id: ['Keys.id'],
  connector_id: ['Connectors.id'],
  'setFindingOutcome.id': ['listFindings.id'],
  scan_id: ['scan_id'],
  finding_id: ['finding_id', 'Security.id'],
  scim_user_id: ['SCIM Users.id'],
  'members.value': ['SCIM Users.id'],
  scim_group_id: ['SCIM Groups.id'],
  files: ['file', 'file_path'],
  file: ['file', 'file_path'],
}

/** Values that the service has returned, by the field that they were in. Later requests name them. */
export class KnownValues {
  readonly #values = new Map<string, string[]>()

  add(field: string, value: string): void {
    const values = this.#values.get(field) ?? []
    this.#values.set(field, values)
    if (values.includes(value)) return
    values.push(value)
    if (values.length > MAX_VALUES) values.shift()
  }

  /** A value for a parameter or field; `owner` is the object that has the field, or else the operation. */
  pick(random: Random, owner: string, name: string): string | undefined {
    const fields = sources[`${owner}.${name}`] ?? sources[name] ?? []
    const values = fields.flatMap((field) => this.#values.get(field) ?? [])
    // What was created last is most likely to exist still.
    return values.length === 0 ? undefined : random.pick(random.below(2) === 0 ? values.slice(-3) : values)
  }

  /** A cursor of the operation, or sometimes of another one. */
  pickCursor(random: Random, { operationId }: Operation): string | undefined {
    const own = this.#values.get(`${operationId}.next_cursor`) ?? []
    const any = this.#values.get('next_cursor') ?? []
    const values = own.length > 0 && random.below(10) > 0 ? own : any
    return values.length === 0 ? undefined : random.pick(values)
  }

  /** A key that the service has created. */
  pickKey(random: Random): string | undefined {
    const values = this.#values.get('Keys.value') ?? []
    return values.length === 0 ? undefined : random.pick(values)
  }

  /** Remembers the values of a JSON response. */
  learn(operation: Operation, body: unknown, depth = 0): void {
    if (body === null || typeof body !== 'object' || depth > 5) return
    if (Array.isArray(body)) {
      for (const item of body.slice(0, 10)) this.learn(operation, item, depth + 1)
      return
    }
    for (const [field, value] of Object.entries(body)) {
      if (typeof value === 'string' && value !== '' && value.length <= 2000) {
        this.add(field, value)
        this.add(`${operation.tag}.${field}`, value)
        this.add(`${operation.operationId}.${field}`, value)
      } else this.learn(operation, value, depth + 1)
    }
  }
}
