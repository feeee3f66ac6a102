import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'

/** The fields of a SARIF 2.1.0 file that tests use. */
export interface SarifLog {
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string
        readonly rules: readonly {
          readonly id: string
          readonly shortDescription: { readonly text: string }
          readonly properties: { readonly tags: readonly string[]; readonly 'security-severity': string }
        }[]
      }
    }
    readonly properties: { readonly repository_id: string }
    readonly results: readonly SarifResult[]
  }[]
}

interface SarifResult {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: string
  readonly message: { readonly text: string }
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string }
      readonly region?: { readonly startLine: number; readonly endLine?: number }
    }
  }[]
  readonly partialFingerprints: Readonly<Record<string, string>>
  readonly correlationGuid: string
  readonly suppressions: readonly unknown[]
  readonly baselineState?: string
  readonly properties: Readonly<Record<string, string>>
}

const validate = compile()

/** Returns the violations of the published schema; empty if the file is valid. */
export function checkSarif(log: unknown): string[] {
  return validate(log) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

function compile() {
  const file = fileURLToPath(import.meta.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'))
  // The schema is written for draft 04; only `$schema` and `id` differ from later drafts.
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  // One of its patterns is invalid with the `u` flag.
  const ajv = new Ajv({ strict: false, strictSchema: true, unicodeRegExp: false })
  ajv.addFormat('uri', (text: string) => isReference(text) && URL.canParse(text))
  ajv.addFormat('uri-reference', isReference)
  ajv.addFormat('date-time', (text: string) => text === new Date(text).toISOString())
  return ajv.compile(schema)
}

/** Allows only the characters of RFC 3986, and % only before two hexadecimal digits. */
function isReference(text: string): boolean {
  return (
    /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/.test(text) &&
    URL.canParse(text, 'https://example.com/')
  )
}
