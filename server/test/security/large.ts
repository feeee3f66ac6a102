import type { IngestEvent } from '../../src/bus/ingest-event.ts'
import type { Finding } from '../../src/resources/security-scans/finding.ts'
import { describeCode, packCode } from '../../src/resources/security-scans/identity/traits.ts'
import { createEvent } from '../ingest.ts'
import type { TestOrganization } from '../tenant.ts'

const words =
  'order user session token query result file path value index count price item cart handler'.split(' ')
const word = (index: number) => words[(index * 7 + (index >> 4)) % words.length] ?? ''
const createCode = (index: number) =>
  `const ${word(index)}${index} = ${word(index + 3)}.${word(index + 5)}(${word(index + 8)}, ${index % 97})`

/** A SARIF file of the given size: distinct results with code, padded with text that is not read. */
export function createLargeSarif(bytes: number, results: number): string {
  const text = JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Warden' } },
        results: Array.from({ length: results }, (_, n) => createResult(n)),
      },
    ],
  })
  const rest = bytes - text.length - ',"notes":""'.length
  if (rest < 0) throw new Error('The results alone exceed the size.')
  return `${text.slice(0, -1)},"notes":"${'x'.repeat(rest)}"}`
}

function createResult(index: number): object {
  const region = { startLine: 1 + (index % 3000), snippet: { text: createCode(index) } }
  const contextRegion = {
    snippet: { text: `${createCode(index + 1)}\n${createCode(index)}\n${createCode(index + 2)}` },
  }
  return {
    ruleId: `rule-${index % 40}`,
    message: { text: `The value of ${word(index)} ${index} is not validated before it is used.` },
    locations: [
      { physicalLocation: { artifactLocation: { uri: `src/${index % 500}.ts` }, region, contextRegion } },
    ],
  }
}

/** An event of nearly the maximum size, with distinct texts that resemble credentials. */
export function createLargeEvent(
  { orgId, repositories }: { orgId: string; repositories: TestOrganization['repositories'] },
  number: number,
): IngestEvent {
  const findings = Array.from({ length: 250 }, (_, n) => ({
    rule_id: `rule-${n % 40}`,
    severity: 'high',
    title: `Finding ${n}`,
    description: Array.from({ length: 28 }, (__, line) => `token: "${createCode(n + line)}${number}" #`).join(
      ' ',
    ),
    file_path: `src/${n % 50}.ts`,
    start_line: 1 + n,
    snippet: createCode(n),
  }))
  const repository = { id: repositories[0]?.repositoryId ?? '' }
  const scan = { scan_id: `large-${number}`, tool: 'Warden', complete: true, findings }
  const payload = { organization: { provider: 'github', id: orgId }, repository, ...scan }
  return createEvent({ type: 'security_scan.completed', payload })
}

/** The given number of findings; `edited` returns the same ones with edited code, a few lines further down. */
export function createFindings(count: number, edited = false): Finding[] {
  return Array.from({ length: count }, (_, index) => {
    const code = edited ? createCode(index).replace('const', 'let mutable') : createCode(index)
    const start = 1 + index + (edited ? 3 : 0)
    return {
      rule: `rule-${index % 40}`,
      severity: 'high',
      title: `Finding ${index}`,
      description: 'The query is built from a request parameter.',
      path: `src/${index % 500}.ts`,
      start,
      end: start,
      code: packCode(describeCode(code, `${createCode(index + 1)}\n${code}\n${createCode(index + 2)}`)),
    }
  })
}
