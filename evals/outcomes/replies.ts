import { readJsonLines } from '../../proofs/tools/json-lines.ts'

export interface LabelledReply {
  readonly text: string
  readonly meaning: 'agrees' | 'declines' | 'unclear'
  readonly set: 'developed' | 'held-out'
}

/** Replies of people to a finding, written for this proof. A third is held out. */
export function loadReplies(): LabelledReply[] {
  return readJsonLines(new URL('replies.jsonl', import.meta.url), (record) => ({
    text: record.string('text'),
    meaning: record.oneOf('meaning', ['agrees', 'declines', 'unclear']),
    set: record.oneOf('set', ['developed', 'held-out']),
  }))
}
