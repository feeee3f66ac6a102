import {
  type DismissalReason,
  dismissalReasons,
  MAX_LINE_NUMBER,
  normalizeCwe,
  type RawFinding,
  type Severity,
  type Suppression,
  severities,
  toSingleLine,
} from '../finding.ts'

// Reads the few fields of a SARIF file that are used. Each may be missing or of a wrong type.

/** Name of the fingerprint in our own files. */
const OWN_FINGERPRINT = 'scholiastFinding/v1'
const MAX_RULE_ID_LENGTH = 200
const MAX_ENTRIES = 50

export interface SarifRun {
  readonly tool: string
  readonly category: string
  readonly branch: string | null
  readonly commit: string | null
  readonly endedAt: string | null
  readonly rules: readonly SarifRule[]
  readonly results: readonly Fields[]
}

interface SarifRule {
  readonly id: string
  readonly fields: Fields
}

type Fields = Readonly<Record<string, unknown>>

const emptyFields: Fields = {}

export function asFields(value: unknown): Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Fields)
    : emptyFields
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Reads a field whose name comes from the file: `constructor` is not a field of every object. */
function getOwn(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Reads `{ "text": … }`, the form of SARIF messages; Markdown is ignored. */
function getMessageText(value: unknown): string | null {
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

type RulesById = ReadonlyMap<string, SarifRule>

/** Returns null for results that are not findings: absent results and passed checks. */
export function readResult(result: Fields, rules: readonly SarifRule[], byId: RulesById): RawFinding | null {
  const kind = asText(result['kind']) ?? 'fail'
  if (asText(result['baselineState']) === 'absent' || !['fail', 'open', 'review'].includes(kind)) return null
  const rule = findRule(result, rules, byId)
  const fields = rule?.fields ?? {}
  const own = asFields(result['properties'])
  const id = getRuleId(result) ?? rule?.id ?? ''
  const description = readMessage(result, fields)
  const title = asText(own['title']) ?? getMessageText(fields['shortDescription']) ?? asText(fields['name'])
  return {
    rule: toSingleLine(id === '' ? (title ?? 'unnamed') : id, MAX_RULE_ID_LENGTH),
    severity: getSeverity(result, fields),
    cwe: findCwe(result, fields),
    title: title ?? (id === '' ? description : id),
    description,
    ...parseLocation(result),
    fingerprint: getFingerprint(result),
    suppression: parseSuppression(result),
    firstSeen: parseTime(asFields(result['provenance'])['firstDetectionTimeUtc']),
  }
}

export function parseTime(value: unknown): string | null {
  const time = new Date(asText(value) ?? Number.NaN)
  const isKnown = time.getTime() >= 0 && time.getUTCFullYear() < 10_000
  return isKnown ? time.toISOString() : null
}

function getRuleId(result: Fields): string | null {
  return asText(result['ruleId']) ?? asText(asFields(result['rule'])['id'])
}

function findRule(result: Fields, rules: readonly SarifRule[], byId: RulesById): SarifRule | undefined {
  const id = getRuleId(result)
  const index = result['ruleIndex'] ?? asFields(result['rule'])['index']
  if (id !== null) {
    // `rule/part` refers to a part of `rule`.
    return byId.get(id) ?? byId.get(id.slice(0, Math.max(0, id.lastIndexOf('/'))))
  }
  return typeof index === 'number' ? rules[index] : undefined
}

function readMessage(result: Fields, rule: Fields): string {
  const message = asFields(result['message'])
  const named = getOwn(asFields(rule['messageStrings']), asText(message['id']) ?? '')
  const text =
    asText(message['text']) ?? getMessageText(named) ?? getMessageText(rule['fullDescription']) ?? ''
  const messageArguments = asList(message['arguments'])
  return text.replaceAll(
    /\{(\d{1,2})\}/g,
    (whole, argument: string) => asText(messageArguments[Number(argument)]) ?? whole,
  )
}

function getSeverity(result: Fields, rule: Fields): Severity {
  const own = asFields(result['properties'])
  const explicit = severities.find((severity) => severity === own['severity'])
  if (explicit !== undefined) return explicit
  const score = Number(
    own['security-severity'] ?? asFields(rule['properties'])['security-severity'] ?? Number.NaN,
  )
  if (score >= 0) return toSeverity(score)
  const level = asText(result['level']) ?? asText(asFields(rule['defaultConfiguration'])['level'])
  return severityByLevel.get(level ?? '') ?? 'medium'
}

const severityByLevel: ReadonlyMap<string, Severity> = new Map([
  ['error', 'high'],
  ['note', 'low'],
  ['none', 'info'],
])

/** Maps a score to its CVSS band. */
function toSeverity(score: number): Severity {
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  if (score >= 4) return 'medium'
  return score > 0 ? 'low' : 'info'
}

function findCwe(result: Fields, rule: Fields): string | null {
  const own = asFields(result['properties'])
  const targets = asList(rule['relationships']).map((relation) => asFields(asFields(relation)['target']))
  const taxa = [...asList(result['taxa']).map(asFields), ...targets]
  const named = taxa
    .filter((taxon) => asText(asFields(taxon['toolComponent'])['name'])?.toUpperCase() === 'CWE')
    .map((taxon) => `CWE-${asText(taxon['id'])?.replace(/^cwe-/i, '')}`)
  const tags = [own['cwe'], ...asList(own['tags']), ...named, ...asList(asFields(rule['properties'])['tags'])]
  for (const tag of tags.slice(0, MAX_ENTRIES)) {
    const cwe = normalizeCwe((asText(tag) ?? '').replace(/:.{0,400}$/s, ''))
    if (cwe !== null) return cwe
  }
  return null
}

function parseLocation(result: Fields): Pick<RawFinding, 'path' | 'start' | 'end' | 'snippet' | 'context'> {
  const physical = asFields(asFields(asList(result['locations'])[0])['physicalLocation'])
  const region = asFields(physical['region'])
  const start = parseLineNumber(region['startLine'])
  return {
    path: parsePath(asText(asFields(physical['artifactLocation'])['uri']) ?? ''),
    start,
    end: start === null ? null : (parseLineNumber(region['endLine']) ?? start),
    snippet: getMessageText(region['snippet']),
    context: getMessageText(asFields(physical['contextRegion'])['snippet']),
  }
}

function parseLineNumber(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_LINE_NUMBER
    ? Number(value)
    : null
}

/** Removes scheme and host of an absolute URI. Local absolute paths are not shortened. */
function parsePath(uri: string): string {
  const relative = uri.replace(/^[a-z][a-z0-9+.-]{1,30}:\/\/[^/]{0,255}\/?/i, '')
  try {
    return decodeURIComponent(relative)
  } catch {
    return relative
  }
}

/** Our own fingerprint, else the tool's full fingerprints, else its partial ones. */
function getFingerprint(result: Fields): string | null {
  const partial = asFields(result['partialFingerprints'])
  const own = asText(partial[OWN_FINGERPRINT])
  if (own !== null) return own
  const fingerprints =
    [result['fingerprints'], partial].map(asFields).find((prints) => Object.keys(prints).length > 0) ?? {}
  const entries = Object.entries(fingerprints)
    .flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [`${name}=${value}`] : []))
    .toSorted()
  return entries.length === 0 ? null : entries.slice(0, MAX_ENTRIES).join(' ')
}

function parseSuppression(result: Fields): Suppression | null {
  const accepted = asList(result['suppressions'])
    .map(asFields)
    .find(({ status }) => (asText(status) ?? 'accepted') === 'accepted')
  if (accepted === undefined) return null
  const justification = asText(accepted['justification'])
  const reason = parseReason(justification) ?? parseReason(asText(asFields(accepted['properties'])['reason']))
  return { reason: reason ?? 'other', comment: parseReason(justification) === null ? justification : null }
}

function parseReason(text: string | null): DismissalReason | null {
  return dismissalReasons.find((reason) => reason === text) ?? null
}
