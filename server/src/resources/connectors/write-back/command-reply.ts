import type { PullRequestSnapshot } from '../snapshot.ts'
import type { Command } from './commands.ts'

/** What a reply says quotes no comment. A hidden first line names the command, so that it gets one reply only. */
export function renderReply(command: Command, { url }: PullRequestSnapshot, content: string): string {
  const isLink = command.url.startsWith(url) && /^https?:\/\/[\w.:/#-]{1,500}$/.test(command.url)
  const about = isLink ? `Reply to [this comment](${command.url}).` : 'Reply to a command.'
  return `${toMarker(command)}\n${about}\n\n${content}`
}

function toMarker({ key }: Command): string {
  return `<!-- scholiast-reply: ${key} -->`
}

/** Whether a reply was written, although a killed worker could not store it. */
export function hasReply(command: Command, { comments }: PullRequestSnapshot): boolean {
  const marker = toMarker(command)
  return comments.some(({ user, body }) => user?.isBot === true && body.startsWith(marker))
}

const proposed = 'Proposed as a Learning of this repository. It waits until an admin approves it.'
const redacted =
  'Something that looks like a secret was removed from the text. If it is one, revoke it: the comment still has it.'

export function renderProposed(text: string): string {
  return text.includes('[REDACTED:') ? `${proposed}\n\n${redacted}` : proposed
}
