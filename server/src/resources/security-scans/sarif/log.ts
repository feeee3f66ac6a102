// Reads the few fields of a SARIF file that are used. Each may be missing or of a wrong type.

export interface SarifRun {
  readonly tool: string
  readonly category: string
  readonly branch: string | null
  readonly commit: string | null
  readonly endedAt: string | null
  readonly rules: readonly SarifRule[]
  readonly results: readonly Fields[]
}

export interface SarifRule {
  readonly id: string
  readonly fields: Fields
}

export type Fields = Readonly<Record<string, unknown>>

const emptyFields: Fields = {}

export function asFields(value: unknown): Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Fields)
    : emptyFields
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Reads `{ "text": … }`, the form of SARIF messages; Markdown is ignored. */
export function getMessageText(value: unknown): string | null {
  return asText(asFields(value)['text'])
}

export function parseRun(value: unknown): SarifRun {
  const run = asFields(value)
  const tool = asFields(run['tool'])
  const driver = asFields(tool['driver'])
  const version = asFields(asList(run['versionControlProvenance'])[0])
  const invocation = asFields(asList(run['invocations'])[0])
  const components = [driver, ...asList(tool['extensions']).map(asFields)]
  return {
    tool: asText(driver['name']) ?? '',
    category: parseCategory(asText(asFields(run['automationDetails'])['id']) ?? ''),
    branch: asText(version['branch']),
    commit: asText(version['revisionId']),
    endedAt: asText(invocation['endTimeUtc']) ?? asText(invocation['startTimeUtc']),
    rules: components.flatMap((component) =>
      asList(component['rules']).map((rule) => ({
        id: asText(asFields(rule)['id']) ?? '',
        fields: asFields(rule),
      })),
    ),
    results: asList(run['results']).map(asFields),
  }
}

/** In an automation id, the part before the last slash is the category; the rest identifies the run. */
function parseCategory(id: string): string {
  const slash = id.lastIndexOf('/')
  return slash === -1 ? '' : id.slice(0, slash)
}
