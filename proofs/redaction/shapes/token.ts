import { HOLE, type Template } from './template.ts'

/** Where a token is pasted; every place says what it is. */
export const namedTokenTemplates: readonly Template[] = [
  {
    shape: 'prose',
    around: ({ label }) =>
      `The nightly job uses the ${label} ${HOLE} and must read it from the store instead.`,
  },
  {
    shape: 'prose',
    around: ({ label }) => `Ask before you rotate the ${label}: ${HOLE}. Three teams share it.`,
  },
  {
    shape: 'prose',
    around: ({ label }) => `Flag tests that hard-code our ${label} ("${HOLE}"), even in a sandbox.`,
  },
  { shape: 'prose', around: ({ label }) => `${label} = ${HOLE}` },
  { shape: 'code', around: ({ camel }) => `const ${camel} = '${HOLE}'` },
  { shape: 'code', around: ({ snake }) => `${snake} = "${HOLE}"  # TODO: move to settings` },
  { shape: 'code', around: ({ camel }) => `${camel} := "${HOLE}"` },
  { shape: 'code', around: ({ constant }) => `private static final String ${constant} = "${HOLE}";` },
  { shape: 'code', around: ({ constant }) => `pub const ${constant}: &str = "${HOLE}";` },
  { shape: 'code', around: ({ constant }) => `ENV['${constant}'] ||= '${HOLE}'` },
  { shape: 'code', around: ({ pascal }) => `services.Configure(o => o.${pascal} = "${HOLE}");` },
  { shape: 'code', around: ({ snake }) => `return ['${snake}' => '${HOLE}', 'timeout' => 30];` },
  { shape: 'code', around: ({ constant }) => `os.environ.setdefault("${constant}", "${HOLE}")` },
  { shape: 'json', around: ({ snake }) => `{"region": "eu-west-1", "${snake}": "${HOLE}", "retries": 3}` },
  { shape: 'json', around: ({ camel }) => `{\n  "${camel}": "${HOLE}",\n  "enabled": true\n}` },
  { shape: 'json', around: ({ camel }) => `body: "{\\"${camel}\\":\\"${HOLE}\\"}"` },
  { shape: 'yaml', around: ({ snake }) => `service:\n  ${snake}: ${HOLE}\n  replicas: 2` },
  { shape: 'yaml', around: ({ constant }) => `env:\n  - name: ${constant}\n    value: "${HOLE}"` },
  { shape: 'yaml', around: ({ kebab }) => `${kebab}: '${HOLE}'` },
  {
    shape: 'url',
    around: ({ parameter, label }) =>
      `Calls such as https://api.example.com/v2/items?limit=50&${parameter}=${HOLE}&page=2 put the ${label} into access logs.`,
    spell: encodeURIComponent,
  },
  { shape: 'shell', around: ({ constant }) => `export ${constant}=${HOLE}` },
  { shape: 'shell', around: ({ constant }) => `${constant}="${HOLE}" npm run deploy -- --stage test` },
  { shape: 'shell', around: ({ kebab }) => `deployctl push --${kebab} ${HOLE} --region eu` },
  { shape: 'shell', around: ({ constant }) => `docker run -e ${constant}=${HOLE} --rm app:latest` },
  { shape: 'env', around: ({ constant }) => `LOG_LEVEL=debug\n${constant}=${HOLE}\nPORT=3000` },
  { shape: 'env', around: ({ constant }) => `${constant}='${HOLE}'` },
  {
    shape: 'header',
    around: () => `curl -sS -H "Authorization: Bearer ${HOLE}" https://api.example.com/v1/me`,
  },
  {
    shape: 'log',
    around: ({ snake }) => `2026-03-04T11:22:33.120Z WARN sync: upstream said 401 ${snake}=${HOLE} attempt=2`,
  },
  {
    shape: 'log',
    around: ({ label }) =>
      `[2026-03-04 11:22:33] production.ERROR: ${label} "${HOLE}" was rejected {"status":403}`,
  },
  {
    shape: 'markdown',
    around: ({ constant }) => `| Name | Value |\n|---|---|\n| ${constant} | \`${HOLE}\` |`,
  },
  { shape: 'markdown', around: ({ label }) => `- **${label}**: \`${HOLE}\`\n- **Region**: eu-west-1` },
  { shape: 'markdown', around: ({ constant }) => `\`\`\`bash\n${constant}=${HOLE}\nmake release\n\`\`\`` },
  { shape: 'diff', around: ({ camel }) => `-  ${camel}: config.get('x'),\n+  ${camel}: '${HOLE}',` },
]

/** For tokens with a look of their own: nothing around them says what they are. */
export const unnamedTokenTemplates: readonly Template[] = [
  { shape: 'prose', around: () => `Do not paste things like ${HOLE} into a review comment.` },
  { shape: 'prose', around: () => `Seen in a fixture last week: ${HOLE}.` },
  { shape: 'prose', around: () => `It starts with a prefix (${HOLE}), so the scanner should have seen it.` },
  { shape: 'code', around: () => `const client = connect('${HOLE}', { retries: 3 })` },
  { shape: 'json', around: () => `["eu-west-1", "${HOLE}", 30]` },
  { shape: 'yaml', around: () => `args:\n  - ${HOLE}\n  - --verbose` },
  { shape: 'log', around: () => `11:22:33.120 [worker-3] INFO  Client - using ${HOLE}` },
  { shape: 'markdown', around: () => `Replace \`${HOLE}\` by a reference to the store.` },
  { shape: 'markdown', around: () => `> ${HOLE}\n\nNobody should be able to quote this.` },
]
