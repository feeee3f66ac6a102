// secretlint finds other kinds of secrets, by rules that others wrote. It checks what our rules leave.
import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import type { SecretLintCoreConfig } from '@secretlint/types'

/** The number of texts in which a rule of secretlint finds a secret, by rule. */
export type LintCounts = ReadonlyMap<string, number>

const PREFIX = '@secretlint/secretlint-rule-'

// Without filter-comments: a comment in a sample must not switch secretlint off.
const config: SecretLintCoreConfig = {
  rules: [
    {
      id: `${PREFIX}preset-recommend`,
      rule: creator,
      rules: [{ id: `${PREFIX}filter-comments`, disabled: true }],
    },
  ],
}

export async function lintTexts(texts: readonly string[]): Promise<LintCounts> {
  const counts = new Map<string, number>()
  // The profiler is on by default and keeps every measurement in memory.
  secretLintProfiler.setEnabled(false)
  for (const text of texts)
    for (const rule of await findMatchingRules(removeMarkers(text)))
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}

export function sumCounts(counts: LintCounts): number {
  return counts.values().reduce((sum, count) => sum + count, 0)
}

export function renderCounts(counts: LintCounts): string {
  return [...counts].map(([rule, count]) => `${rule} ${count}`).join(', ') || 'nothing'
}

/** secretlint takes a marker where a password should be for the password. */
function removeMarkers(text: string): string {
  return text.replaceAll(/\[REDACTED:\w{1,60}\]/g, '')
}

async function findMatchingRules(content: string): Promise<Set<string>> {
  const { messages } = await lintSource({
    source: { content, filePath: 'learning.txt', contentType: 'text' },
    options: { config, noPhysicFilePath: true },
  })
  return new Set(messages.map(({ ruleId }) => ruleId.replace(PREFIX, '')))
}
