// How much is read of the comments of one pull request: anybody can comment on a public repository, as often and at such length
// as the Git provider permits. The largest known reviews have a few hundred comments of some 40 lines.

const MAX_COMMENTS = 1000
const MAX_CHARACTERS = 2_000_000
/** Parsers take time by lines: so many take them a fraction of a second. */
const MAX_LINES = 100_000
const MAX_LINES_PER_COMMENT = 2000
/** Outcomes look at how the message of a commit begins. */
export const MAX_MESSAGE_CHARACTERS = 500

/** The budget of one pull request. What it leaves out is counted, and shown with the connector. */
export class CommentBudget {
  #comments = 0
  #characters = 0
  #lines = 0
  #omitted = 0

  /** Comments that were left out or cut. */
  get omitted(): number {
    return this.#omitted
  }

  get isSpent(): boolean {
    return this.#comments >= MAX_COMMENTS || this.#characters >= MAX_CHARACTERS || this.#lines >= MAX_LINES
  }

  /** The text of a comment as far as it is read. Must not be called when the budget is spent. */
  take(text: string): string {
    const maxLines = Math.min(MAX_LINES_PER_COMMENT, MAX_LINES - this.#lines)
    const maxCharacters = MAX_CHARACTERS - this.#characters
    const { end, lines } = findEnd(text, maxLines, maxCharacters)
    this.#comments += 1
    this.#characters += end
    this.#lines += lines
    if (end === text.length) return text
    this.#omitted += 1
    return copyStart(text, end)
  }

  /** Counts comments that are left out. */
  omit(comments: number): void {
    this.#omitted += Math.max(0, comments)
  }
}

/** The first characters. A slice would keep the whole text in memory. */
export function copyStart(text: string, characters: number): string {
  return text.length <= characters ? text : Buffer.from(text.slice(0, characters)).toString()
}

/** Where the text has reached one of the limits. */
function findEnd(
  text: string,
  maxLines: number,
  maxCharacters: number,
): { readonly end: number; readonly lines: number } {
  const most = Math.min(text.length, maxCharacters)
  let lines = 1
  for (let at = 0; at < most; at++) {
    const code = text.charCodeAt(at)
    // The parsers take both for line ends.
    if (code !== 10 && code !== 13) continue
    if (lines === maxLines) return { end: at, lines }
    lines += 1
  }
  return { end: most, lines }
}
