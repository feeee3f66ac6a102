import {
  type DismissalReason,
  dismissalReasons,
  MAX_LINE_NUMBER,
  normalizeCwe,
  oneLine,
  type RawFinding,
  type Severity,
  type Suppression,
  severities,
} from '../finding.ts'
import { type Fields, fieldsOf, listOf, messageOf, type Rule, textOf } from './log.ts'

/** The fingerprint that our own files carry. */
const OWN_FINGERPRINT = 'scholiastFinding/v1'
const MAX_RULE_ID_LENGTH = 200
const MAX_ENTRIES = 50

type RulesById = ReadonlyMap<string, Rule>

/** Null for what is no finding: one that was absent, or a check that was passed. */
export function readResult(result: Fields, rules: readonly Rule[], byId: RulesById): RawFinding | null {
  const kind = textOf(result['kind']) ?? 'fail'
  if (textOf(result['baselineState']) === 'absent' || !['fail', 'open', 'review'].includes(kind)) return null
  const rule = ruleOf(result, rules, byId)
  const fields = rule?.fields ?? {}
  const own = fieldsOf(result['properties'])
  const id = ruleIdOf(result) ?? rule?.id ?? ''
  const description = readMessage(result, fields)
  const title = textOf(own['title']) ?? messageOf(fields['shortDescription']) ?? textOf(fields['name'])
  return {
    rule: oneLine(id === '' ? (title ?? 'unnamed') : id, MAX_RULE_ID_LENGTH),
    severity: severityOf(result, fields),
    cwe: cweOf(result, fields),
    title: title ?? (id === '' ? description : id),
    description,
    ...locationOf(result),
    fingerprint: fingerprintOf(result),
    suppression: suppressionOf(result),
    firstSeen: timeOf(fieldsOf(result['provenance'])['firstDetectionTimeUtc']),
  }
}

export function timeOf(value: unknown): string | null {
  const time = new Date(textOf(value) ?? Number.NaN)
  const isKnown = time.getTime() >= 0 && time.getUTCFullYear() < 10_000
  return isKnown ? time.toISOString() : null
}

function ruleIdOf(result: Fields): string | null {
  return textOf(result['ruleId']) ?? textOf(fieldsOf(result['rule'])['id'])
}

function ruleOf(result: Fields, rules: readonly Rule[], byId: RulesById): Rule | undefined {
  const id = ruleIdOf(result)
  const index = result['ruleIndex'] ?? fieldsOf(result['rule'])['index']
  if (id !== null) {
    // `rule/part` is a part of a rule.
    return byId.get(id) ?? byId.get(id.slice(0, Math.max(0, id.lastIndexOf('/'))))
  }
  return typeof index === 'number' ? rules[index] : undefined
}

function readMessage(result: Fields, rule: Fields): string {
  const message = fieldsOf(result['message'])
  const named = fieldsOf(rule['messageStrings'])[textOf(message['id']) ?? '']
  const text = textOf(message['text']) ?? messageOf(named) ?? messageOf(rule['fullDescription']) ?? ''
  const given = listOf(message['arguments'])
  return text.replaceAll(
    /\{(\d{1,2})\}/g,
    (whole, argument: string) => textOf(given[Number(argument)]) ?? whole,
  )
}

function severityOf(result: Fields, rule: Fields): Severity {
  const own = fieldsOf(result['properties'])
  const explicit = severities.find((severity) => severity === own['severity'])
  if (explicit !== undefined) return explicit
  const score = Number(
    own['security-severity'] ?? fieldsOf(rule['properties'])['security-severity'] ?? Number.NaN,
  )
  if (score >= 0) return severityOfScore(score)
  const level = textOf(result['level']) ?? textOf(fieldsOf(rule['defaultConfiguration'])['level'])
  return severityOfLevel[level ?? ''] ?? 'medium'
}

const severityOfLevel: Readonly<Record<string, Severity | undefined>> = {
  error: 'high',
  note: 'low',
  none: 'info',
}

/** The bands of CVSS. */
function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  if (score >= 4) return 'medium'
  return score > 0 ? 'low' : 'info'
}

function cweOf(result: Fields, rule: Fields): string | null {
  const own = fieldsOf(result['properties'])
  const targets = listOf(rule['relationships']).map((relation) => fieldsOf(fieldsOf(relation)['target']))
  const taxa = [...listOf(result['taxa']).map(fieldsOf), ...targets]
  const named = taxa
    .filter((taxon) => textOf(fieldsOf(taxon['toolComponent'])['name'])?.toUpperCase() === 'CWE')
    .map((taxon) => `CWE-${textOf(taxon['id'])?.replace(/^cwe-/i, '')}`)
  const tags = [own['cwe'], ...listOf(own['tags']), ...named, ...listOf(fieldsOf(rule['properties'])['tags'])]
  for (const tag of tags.slice(0, MAX_ENTRIES)) {
    const cwe = normalizeCwe((textOf(tag) ?? '').replace(/:.{0,400}$/s, ''))
    if (cwe !== null) return cwe
  }
  return null
}

function locationOf(result: Fields): Pick<RawFinding, 'path' | 'start' | 'end' | 'snippet' | 'context'> {
  const physical = fieldsOf(fieldsOf(listOf(result['locations'])[0])['physicalLocation'])
  const region = fieldsOf(physical['region'])
  const start = lineOf(region['startLine'])
  return {
    path: pathOf(textOf(fieldsOf(physical['artifactLocation'])['uri']) ?? ''),
    start,
    end: start === null ? null : (lineOf(region['endLine']) ?? start),
    snippet: messageOf(region['snippet']),
    context: messageOf(fieldsOf(physical['contextRegion'])['snippet']),
  }
}

function lineOf(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_LINE_NUMBER
    ? Number(value)
    : null
}

/** Of an absolute address what stands behind its host; tools that say where their machine keeps things are left to it. */
function pathOf(uri: string): string {
  const relative = uri.replace(/^[a-z][a-z0-9+.-]{1,30}:\/\/[^/]{0,255}\/?/i, '')
  try {
    return decodeURIComponent(relative)
  } catch {
    return relative
  }
}

/** Ours, else what the tool promises to be stable, else what it says to be a part of that. */
function fingerprintOf(result: Fields): string | null {
  const partial = fieldsOf(result['partialFingerprints'])
  const own = textOf(partial[OWN_FINGERPRINT])
  if (own !== null) return own
  const given =
    [result['fingerprints'], partial].map(fieldsOf).find((prints) => Object.keys(prints).length > 0) ?? {}
  const entries = Object.entries(given)
    .flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [`${name}=${value}`] : []))
    .toSorted()
  return entries.length === 0 ? null : entries.slice(0, MAX_ENTRIES).join(' ')
}

function suppressionOf(result: Fields): Suppression | null {
  const accepted = listOf(result['suppressions'])
    .map(fieldsOf)
    .find(({ status }) => (textOf(status) ?? 'accepted') === 'accepted')
  if (accepted === undefined) return null
  const justification = textOf(accepted['justification'])
  const reason = reasonOf(justification) ?? reasonOf(textOf(fieldsOf(accepted['properties'])['reason']))
  return { reason: reason ?? 'other', comment: reasonOf(justification) === null ? justification : null }
}

function reasonOf(text: string | null): DismissalReason | null {
  return dismissalReasons.find((reason) => reason === text) ?? null
}
