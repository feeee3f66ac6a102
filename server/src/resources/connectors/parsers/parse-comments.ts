import type { ParsedReview } from '../finding.ts'
import type { OwnBot } from '../schema.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import { type ChatInstruction, listChatInstructions } from './chat.ts'
import { parseReview } from './parse-review.ts'

/** Everything that is read from the texts of a pull request. */
export interface ParsedComments {
  readonly review: ParsedReview
  readonly instructions: readonly ChatInstruction[]
}

export function parseComments(snapshot: PullRequestSnapshot, ownBots: readonly OwnBot[]): ParsedComments {
  return {
    review: parseReview(snapshot, ownBots),
    instructions: listChatInstructions(snapshot, ownBots),
  }
}
