import type { SourceEdit } from '../tools/copy.ts'

// The upper layer of isolation: the conditions that restrict a statement to its scope. They are removed from the text of
// every statement, so that a new statement is covered too. Its values stay parameters of the same types.

// A condition follows one of these; an assignment does not.
const START = String.raw`(?<=\b(?:where|and|or|on)\s+|\()`
// They have one row for each root or position, and a scalar subquery that finds a second one is an error. The head of every audit
// chain would get the position of one root, and no request of the others could write to its chain again.
const SINGLE_ROWS = String.raw`(?<!\b(?:(?:metrics_head|audit_clear)(?: [a-z]+)?|audit_head set [^)]*) where )`
const ROOT = String.raw`(?:[a-z]+\.)?root_id`
const ORGANIZATION = String.raw`(?:[a-z]+\.)?(?:organization_id|instance_id)`
const EQUALS = '(?:=|is not distinct from)'
// Values that a statement scans one by one.
const SCANNED = String.raw`value|led|led\.value|walked\.id|o\.id|asked\.organization_id`

type Rule = readonly [pattern: string, replacement: string]

const rootRules: readonly Rule[] = [
  [String.raw`${START}${SINGLE_ROWS}${ROOT} = (\$1)\b(?!:)`, '$1::uuid is not null'],
]

const organizationRules: readonly Rule[] = [
  [String.raw`${START}${ORGANIZATION} = any \((\$\d+)(?:::uuid\[\])?\)`, '$1::uuid[] is not null'],
  [String.raw`${START}${ORGANIZATION} ${EQUALS} (\$\d+)(?:::uuid)?\b`, '$1::uuid is not null'],
  [String.raw`${START}(?:${ROOT}|${ORGANIZATION}) ${EQUALS} (${SCANNED})\b(?!\.)`, '$1 is not null'],
  [String.raw`\(organization_id, position\) ([<>]=?) \(([^,]+), `, '($2, position) $1 ($2, '],
  // Ids of organizations; null = all.
  [String.raw`(\$\d+)::uuid\[\] is null or id = any \(\1\)`, '$1::uuid[] is null or true'],
  [String.raw`(?<=\bactive and )id = any \((\$\d+)::uuid\[\]\)`, '$1::uuid[] is not null'],
  // Ids that repositories of several hosts have stand for no name, and all tenants have the same ids.
  [String.raw`having count\(distinct \(.*?\)\) = 1`, ''],
]

/** Policies separate organizations in requests, except for keys. */
export const withoutRequestScope = createEdit([...rootRules, ...organizationRules])

/** The transactions of the worker see a whole root, so policies separate roots. */
export const withoutWorkerScope = createEdit(rootRules)

function createEdit(rules: readonly Rule[]): SourceEdit {
  return {
    file: 'db/connect.ts',
    name: 'statement',
    by: `const [rules, rulesOfKeys]: [string, string][][] = ${JSON.stringify([rules, rootRules])}
export function statement(name: string, text: string): Statement {
  const applied = name.startsWith('keys.') ? rulesOfKeys : rules
  return { name, text: applied.reduce((rest, [find, by]) => rest.replaceAll(new RegExp(find, 'g'), by), text) }
}`,
  }
}
