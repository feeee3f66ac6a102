import { HOLE, indented, jsonEscaped, lineEndsEscaped, type Template } from './template.ts'

/** Addresses are pasted whole, with the secret inside. */
export const addressTemplates: readonly Template[] = [
  { shape: 'prose', around: ({ label }) => `The ${label} is ${HOLE} for now; move it to the store.` },
  { shape: 'prose', around: () => `Never put an address like this (${HOLE}) into a test.` },
  { shape: 'prose', around: () => `"${HOLE}" was found in the history of the repository.` },
  { shape: 'code', around: ({ camel }) => `const ${camel} = '${HOLE}'` },
  { shape: 'code', around: () => `engine = create_engine("${HOLE}", pool_size=5)` },
  { shape: 'code', around: () => `db, err := sql.Open("driver", \`${HOLE}\`)` },
  { shape: 'code', around: ({ pascal }) => `builder.Configuration["${pascal}"] = "${HOLE}";` },
  { shape: 'json', around: ({ camel }) => `{ "${camel}": "${HOLE}", "pool": 10 }`, spell: jsonEscaped },
  { shape: 'json', around: () => `{"level":"info","message":"connecting to ${HOLE}"}`, spell: jsonEscaped },
  { shape: 'yaml', around: ({ snake }) => `production:\n  ${snake}: "${HOLE}"\n  pool: 5` },
  { shape: 'yaml', around: ({ constant }) => `      - ${constant}=${HOLE}` },
  { shape: 'url', around: () => `see <${HOLE}>` },
  { shape: 'url', around: () => HOLE },
  { shape: 'shell', around: ({ constant }) => `export ${constant}="${HOLE}"` },
  { shape: 'shell', around: () => `./scripts/migrate.sh --target '${HOLE}' --yes` },
  { shape: 'env', around: ({ constant }) => `${constant}=${HOLE}\nPOOL_SIZE=5` },
  { shape: 'log', around: () => `2026-03-04T11:22:33Z ERROR could not connect to ${HOLE} after 3 attempts` },
  { shape: 'markdown', around: () => `See [the old target](${HOLE}) for details.` },
  { shape: 'markdown', around: ({ label }) => `1. **${label}**: \`${HOLE}\`\n2. restart the worker` },
  { shape: 'diff', around: ({ constant }) => `-${constant}=\n+${constant}=${HOLE}` },
]

/** What brings its own syntax is quoted, listed or commented on. */
export const linesTemplates: readonly Template[] = [
  { shape: 'prose', around: () => `Reject any change that contains this: ${HOLE}` },
  { shape: 'prose', around: () => `The old runbook told people to write\n${HOLE}\nand that has to go.` },
  { shape: 'code', around: () => `// ${HOLE}\nfunction connect() {}`, spell: indented('// ') },
  {
    shape: 'code',
    around: () => `def test_login():\n    """\n    ${HOLE}\n    """`,
    spell: indented('    '),
  },
  { shape: 'json', around: () => `{"note": "${HOLE}", "line": 12}`, spell: jsonEscaped },
  { shape: 'yaml', around: () => `steps:\n  - run: |\n      ${HOLE}`, spell: indented('      ') },
  { shape: 'shell', around: () => `cat > settings <<'END'\n${HOLE}\nEND` },
  { shape: 'log', around: () => `2026-03-04T11:22:33.120Z DEBUG runner: ${HOLE}`, spell: lineEndsEscaped },
  { shape: 'markdown', around: () => `Never commit this:\n\n\`\`\`\n${HOLE}\n\`\`\`` },
  { shape: 'markdown', around: () => `Such lines must not stay:\n\n    ${HOLE}\n`, spell: indented('    ') },
  { shape: 'diff', around: () => `@@ -4,0 +5,2 @@\n+${HOLE}`, spell: indented('+') },
]

/** Blocks keep their lines, or have them escaped or glued together by the language. */
export const blockTemplates: readonly Template[] = [
  {
    shape: 'prose',
    around: ({ label }) => `This ${label} was in the repository until March:\n\n${HOLE}\n\nIt is revoked.`,
  },
  { shape: 'code', around: ({ camel }) => `const ${camel} = \`${HOLE}\`` },
  { shape: 'code', around: ({ snake }) => `${snake} = """\n${HOLE}\n"""` },
  {
    shape: 'code',
    around: ({ constant }) => `static final String ${constant} = "${HOLE}";`,
    spell: (text) => text.replaceAll('\n', '\\n" +\n    "'),
  },
  { shape: 'json', around: ({ snake }) => `{ "${snake}": "${HOLE}" }`, spell: jsonEscaped },
  { shape: 'yaml', around: ({ snake }) => `${snake}: |\n  ${HOLE}\nport: 22`, spell: indented('  ') },
  {
    shape: 'yaml',
    around: ({ constant }) => `- name: ${constant}\n  value: "${HOLE}"`,
    spell: lineEndsEscaped,
  },
  { shape: 'shell', around: () => `cat > key <<END\n${HOLE}\nEND\nchmod 600 key` },
  { shape: 'env', around: ({ constant }) => `${constant}="${HOLE}"\nPORT=22`, spell: lineEndsEscaped },
  { shape: 'env', around: ({ constant }) => `${constant}="${HOLE}"` },
  {
    shape: 'log',
    around: () => `11:22:33 ERROR cannot parse key '${HOLE}': bad format`,
    spell: lineEndsEscaped,
  },
  { shape: 'markdown', around: () => `Remove this file:\n\n\`\`\`\n${HOLE}\n\`\`\`\n\nand rotate.` },
  { shape: 'diff', around: () => `new file mode 100644\n+${HOLE}`, spell: indented('+') },
]
