import type { DismissalReason, Severity } from '../../../resources/security-scans/finding.ts'
import type { Nature } from '../cast.ts'

/** What a scanner of the demo finds in a repository of some nature. */
export interface Flaw {
  readonly tool: 'Palisade' | 'Bramble'
  readonly rule: string
  readonly severity: Severity
  readonly cwe: string
  readonly title: string
  readonly description: string
  readonly file: string
  readonly line: number
  readonly code: string
  /** The first week of scans that sees it, and the first that does not any more. */
  readonly from?: number
  readonly until?: number
  readonly dismissed?: DismissalReason
  /** In which week its file gets another name. */
  readonly renamed?: { readonly week: number; readonly file: string }
}

const flaw = (fields: Flaw): Flaw => fields

const sql = {
  tool: 'Palisade',
  rule: 'sql-from-input',
  cwe: 'CWE-89',
  title: 'SQL is built from what a caller sent',
  description: 'The value is put into the text of the statement. Pass it as a parameter.',
} as const

const secretInCode = {
  tool: 'Bramble',
  rule: 'hard-coded-credential',
  cwe: 'CWE-798',
  severity: 'critical',
  title: 'A credential is written in the code',
  description: 'Whoever can read the repository has it. Take it from the environment, and change it.',
} as const

export const demoFlaws: Readonly<Record<Nature, readonly Flaw[]>> = {
  service: [
    flaw({
      ...sql,
      severity: 'critical',
      file: 'src/search/filter.ts',
      line: 48,
      code: 'const slots = await db.query(allSlots + filter)',
      until: 5,
    }),
    flaw({
      ...sql,
      severity: 'high',
      file: 'src/reports/export.ts',
      line: 112,
      code: 'const manifests = await db.query(manifestsInOrderOf + column)',
      from: 2,
    }),
    flaw({
      tool: 'Palisade',
      rule: 'request-to-given-address',
      severity: 'high',
      cwe: 'CWE-918',
      title: 'A request goes to an address that a caller chose',
      description: 'It reaches what only this service can reach. Allow the hosts that are meant.',
      file: 'src/webhooks/deliver.ts',
      line: 31,
      code: 'await fetch(subscription.url, { method: "POST", body })',
      renamed: { week: 4, file: 'src/notify/deliver.ts' },
    }),
    flaw({
      tool: 'Palisade',
      rule: 'regular-expression-cost',
      severity: 'medium',
      cwe: 'CWE-1333',
      title: 'A regular expression takes very long for some texts',
      description: 'Nested repetition over what a caller sent. Bound it, or parse by hand.',
      file: 'src/parsing/reference.ts',
      line: 19,
      code: 'const reference = /^(([A-Z]+-?)+)+$/',
      dismissed: 'wont_fix',
    }),
    flaw({
      ...secretInCode,
      file: 'test/fixtures/signing.ts',
      line: 4,
      code: 'const signingKey = fixture()',
      dismissed: 'used_in_tests',
    }),
  ],
  interface: [
    flaw({
      tool: 'Palisade',
      rule: 'html-from-input',
      severity: 'high',
      cwe: 'CWE-79',
      title: 'Text of a user becomes HTML',
      description: 'A note may contain a script. Set it as text.',
      file: 'src/views/note.tsx',
      line: 27,
      code: '<div dangerouslySetInnerHTML={{ __html: note.body }} />',
      until: 6,
    }),
    flaw({
      tool: 'Palisade',
      rule: 'message-of-any-origin',
      severity: 'medium',
      cwe: 'CWE-346',
      title: 'Messages of every window are believed',
      description: 'Compare the origin of the message with the one that is meant.',
      file: 'src/embed/listen.ts',
      line: 12,
      code: "window.addEventListener('message', (event) => apply(event.data))",
      from: 1,
    }),
    flaw({
      tool: 'Bramble',
      rule: 'token-in-local-storage',
      severity: 'low',
      cwe: 'CWE-922',
      title: 'A session is kept where every script can read it',
      description: 'Keep it in a cookie that scripts cannot read.',
      file: 'src/session/store.ts',
      line: 8,
      code: "localStorage.setItem('session', token)",
      from: 3,
    }),
  ],
  firmware: [
    flaw({
      tool: 'Palisade',
      rule: 'unbounded-copy',
      severity: 'critical',
      cwe: 'CWE-787',
      title: 'A copy is not bounded by its target',
      description: 'A frame longer than the buffer overwrites what lies behind it.',
      file: 'drivers/can/receive.c',
      line: 141,
      code: 'memcpy(joint->buffer, frame->data, frame->length);',
      until: 4,
    }),
    flaw({
      tool: 'Palisade',
      rule: 'integer-wrap',
      severity: 'high',
      cwe: 'CWE-190',
      title: 'A length may wrap before it is checked',
      description: 'The sum is made in 16 bits. Compare before adding.',
      file: 'boot/image.c',
      line: 88,
      code: 'if (offset + length > IMAGE_MAX) return -1;',
      from: 1,
      renamed: { week: 5, file: 'boot/verify/image.c' },
    }),
    flaw({
      tool: 'Palisade',
      rule: 'unchecked-return',
      severity: 'low',
      cwe: 'CWE-252',
      title: 'Whether a write to flash succeeded is not looked at',
      description: 'A failed write goes unnoticed until the next start.',
      file: 'drivers/flash.c',
      line: 63,
      code: 'flash_write(address, page, sizeof page);',
      dismissed: 'false_positive',
    }),
  ],
  exchange: [
    flaw({
      tool: 'Palisade',
      rule: 'xml-external-entity',
      severity: 'high',
      cwe: 'CWE-611',
      title: 'Files of partners may read files of ours',
      description: 'The parser follows external entities. Switch that off.',
      file: 'exchange/inbound/parse.py',
      line: 36,
      code: 'tree = etree.parse(upload, etree.XMLParser(resolve_entities=True))',
      until: 3,
    }),
    flaw({
      tool: 'Palisade',
      rule: 'certificate-not-checked',
      severity: 'high',
      cwe: 'CWE-295',
      title: 'The certificate of a partner is not checked',
      description: 'Whoever stands between can read and change what is exchanged.',
      file: 'exchange/outbound/client.py',
      line: 22,
      code: 'session.post(partner.url, data=document, verify=False)',
      from: 2,
    }),
    flaw({
      ...secretInCode,
      file: 'exchange/settings.py',
      line: 11,
      code: 'PARTNER_KEY = load_default()',
      until: 2,
    }),
  ],
  records: [
    flaw({
      ...sql,
      severity: 'critical',
      file: 'app/records/lookup.rb',
      line: 17,
      code: 'Record.where("reference = \'#{params[:reference]}\'")',
      until: 2,
    }),
    flaw({
      tool: 'Palisade',
      rule: 'missing-authorization',
      severity: 'high',
      cwe: 'CWE-862',
      title: 'Nobody asks whether the reader may see the record',
      description: 'Every signed-in user can read every record by its number.',
      file: 'app/records/show.rb',
      line: 9,
      code: 'record = Record.find(params[:id])',
    }),
    flaw({
      tool: 'Palisade',
      rule: 'personal-data-in-log',
      severity: 'medium',
      cwe: 'CWE-532',
      title: 'A name and a date of birth are logged',
      description: 'Logs are kept longer, and are read by more people, than records.',
      file: 'app/sync/worker.rb',
      line: 54,
      code: 'logger.info("synced #{person.name} #{person.born_on}")',
      from: 3,
    }),
  ],
  site: [
    flaw({
      tool: 'Bramble',
      rule: 'vulnerable-dependency',
      severity: 'medium',
      cwe: 'CWE-1395',
      title: 'A dependency has a known weakness',
      description: 'The installed version of the image optimiser reads beyond its input. Update it.',
      file: 'package.json',
      line: 21,
      code: '"sharp-ish": "2.1.0"',
    }),
    flaw({
      tool: 'Bramble',
      rule: 'link-without-noopener',
      severity: 'info',
      cwe: 'CWE-1022',
      title: 'A linked page can steer the window it was opened from',
      description: 'Add rel="noopener" to the link.',
      file: 'pages/partners.html',
      line: 73,
      code: '<a href="https://partner.example.com" target="_blank">',
      from: 2,
      until: 6,
    }),
  ],
}
