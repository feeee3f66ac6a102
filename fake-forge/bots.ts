// Review bots with the ids that matter, and comments in the formats that they write (data/*.jsonl).
import { readFileSync } from 'node:fs'
import type { Forge } from './forge.ts'
import type { User } from './model.ts'
import type { Random } from './random.ts'

export interface Bot {
  readonly name: string
  readonly user: User
  /** The body of a review; empty = the bot writes none. */
  readonly summary: string
  readonly bodies: readonly string[]
}

interface BotLine {
  readonly name: string
  readonly login: string
  /** null = the bot has no account of its own. */
  readonly id: number | null
  readonly commentLogin?: string
  readonly summary: string
  readonly bodies: readonly string[]
}

interface FindingLine {
  readonly title: string
  readonly text: string
}

function readLines(file: string): unknown[] {
  const text = readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}

export function addBots(forge: Forge): Bot[] {
  return (readLines('bots.jsonl') as BotLine[]).map(({ name, login, id, commentLogin, summary, bodies }) => ({
    name,
    user: forge.addUser(login, { ...(id !== null && { id }), ...(commentLogin && { commentLogin }) }),
    summary,
    bodies,
  }))
}

export class FindingWriter {
  readonly #findings = readLines('findings.jsonl') as FindingLine[]
  readonly #random: Random
  #count = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** A comment of the bot; with `suggestion`, if its format has one. */
  write(bot: Bot, suggestion: readonly string[] | null): string {
    const { title, text } = this.#random.pick(this.#findings)
    // Bots do not post the same title twice.
    const number = ++this.#count
    const key = Array.from({ length: 24 }, () => this.#random.below(16).toString(16)).join('')
    const block = suggestion === null ? '' : ['```suggestion', ...suggestion, '```'].join('\n')
    return this.#random
      .pick(bot.bodies)
      .replaceAll('{title}', () => `${title}, case ${number}`)
      .replaceAll('{text}', () => text)
      .replaceAll('{key}', () => key)
      .replaceAll('{suggestion}', () => block)
  }
}
