import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import type { SecretLintCoreConfig } from '@secretlint/types'
import type { Kind } from '../kind.ts'
import { samplesOf } from '../shapes.ts'
import type { Redact } from './recall.ts'

// secretlint knows other kinds, by rules that others wrote. It is asked about what our rules have left.

/** By rule, in how many texts it found something. */
export type Opinion = ReadonlyMap<string, number>

export interface SecondOpinion {
  /** Of the texts as they were written: without any, it would be no opinion at all. */
  readonly before: Opinion
  readonly after: Opinion
}

const PREFIX = '@secretlint/secretlint-rule-'

// A comment in a text could switch it off otherwise, and a text under test is not asked for its consent.
const config: SecretLintCoreConfig = {
  rules: [
    {
      id: `${PREFIX}preset-recommend`,
      rule: creator,
      rules: [{ id: `${PREFIX}filter-comments`, disabled: true }],
    },
  ],
}

/** `every`: only one sample of so many, for a quick run. */
export async function askAboutKinds(
  kinds: readonly Kind[],
  redact: Redact,
  every: number,
): Promise<SecondOpinion> {
  const texts = kinds.flatMap((kind) =>
    samplesOf(kind)
      .filter((_, place) => place % every === 0)
      .map(({ text }) => text),
  )
  const before = await askAbout(texts)
  const after = await askAbout(texts.map((text) => withoutMarkers(redact(text).text)))
  return { before, after }
}

export async function askAbout(texts: readonly string[]): Promise<Opinion> {
  const opinion = new Map<string, number>()
  // It measures itself otherwise, and keeps every measurement.
  secretLintProfiler.setEnabled(false)
  for (const text of texts)
    for (const rule of await rulesThatObject(text)) opinion.set(rule, (opinion.get(rule) ?? 0) + 1)
  return opinion
}

export function countObjections(opinion: Opinion): number {
  return opinion.values().reduce((sum, count) => sum + count, 0)
}

export function describeOpinion(opinion: Opinion): string {
  return [...opinion].map(([rule, count]) => `${rule} ${count}`).join(', ') || 'nothing'
}

/** It takes a marker in the place of a password for the password. */
function withoutMarkers(text: string): string {
  return text.replaceAll(/\[REDACTED:\w{1,60}\]/g, '')
}

async function rulesThatObject(content: string): Promise<Set<string>> {
  const { messages } = await lintSource({
    source: { content, filePath: 'learning.txt', contentType: 'text' },
    options: { config, noPhysicFilePath: true },
  })
  return new Set(messages.map(({ ruleId }) => ruleId.replace(PREFIX, '')))
}
