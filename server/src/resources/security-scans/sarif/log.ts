// What is read of a SARIF file: few fields, each of which may be missing or of another type, whatever the format says.

export interface Run {
  readonly tool: string
  readonly category: string
  readonly branch: string | null
  readonly commit: string | null
  readonly endedAt: string | null
  readonly rules: readonly Rule[]
  readonly results: readonly Fields[]
}

export interface Rule {
  readonly id: string
  readonly fields: Fields
}

export type Fields = Readonly<Record<string, unknown>>

const nothing: Fields = {}

export function fieldsOf(value: unknown): Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : nothing
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** `{ "text": … }` as the format writes messages; what it says in Markdown is left. */
export function messageOf(value: unknown): string | null {
  return textOf(fieldsOf(value)['text'])
}

export function runOf(value: unknown): Run {
  const run = fieldsOf(value)
  const tool = fieldsOf(run['tool'])
  const driver = fieldsOf(tool['driver'])
  const version = fieldsOf(listOf(run['versionControlProvenance'])[0])
  const invocation = fieldsOf(listOf(run['invocations'])[0])
  const components = [driver, ...listOf(tool['extensions']).map(fieldsOf)]
  return {
    tool: textOf(driver['name']) ?? '',
    category: categoryOf(textOf(fieldsOf(run['automationDetails'])['id']) ?? ''),
    branch: textOf(version['branch']),
    commit: textOf(version['revisionId']),
    endedAt: textOf(invocation['endTimeUtc']) ?? textOf(invocation['startTimeUtc']),
    rules: components.flatMap((component) =>
      listOf(component['rules']).map((rule) => ({
        id: textOf(fieldsOf(rule)['id']) ?? '',
        fields: fieldsOf(rule),
      })),
    ),
    results: listOf(run['results']).map(fieldsOf),
  }
}

/** What stands before the last slash names the kind of run; what is behind it, the run itself. */
function categoryOf(id: string): string {
  const slash = id.lastIndexOf('/')
  return slash === -1 ? '' : id.slice(0, slash)
}
