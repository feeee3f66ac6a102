import { readInstructions } from '../parsers/chat.ts'
import type { ProviderComment, ProviderUser, PullRequestSnapshot } from '../snapshot.ts'

/** A comment that starts with `/scholiast why` or `/scholiast remember`. Whether its author may use it is not checked yet. */
export interface Command {
  /** Comments on files and on the pull request have ids of their own, so that the kind is a part of it. */
  readonly key: string
  readonly kind: 'why' | 'remember'
  /** What to remember, redacted; empty for `why`. */
  readonly text: string
  readonly author: ProviderUser
  readonly url: string
}

/** GitHub accepts no longer comment. */
const MAX_BODY_CHARACTERS = 65_536

/** An edited comment is no command: somebody else may have edited it. Nor is one of a bot, which could reply to itself. */
export function listCommands(snapshot: PullRequestSnapshot, since: Date): Command[] {
  const read = (comment: ProviderComment, kindOfComment: 'comment' | 'thread'): Command[] => {
    const { id, user, body, createdAt, isEdited, url } = comment
    if (user === null || user.isBot || isEdited !== false || body.length > MAX_BODY_CHARACTERS) return []
    if (Date.parse(createdAt) < since.getTime() || !/^\s{0,10}\/scholiast\s/i.test(body)) return []
    if (!/^\d{1,30}$/.test(id)) return []
    const [first] = readInstructions(body, false, [])
    if (first === undefined || !first.isCommand) return []
    const { kind, text } = first
    const key = `${kindOfComment}-${id}`
    return [{ key, kind, text, author: user, url }]
  }
  return [
    ...snapshot.comments.flatMap((comment) => read(comment, 'comment')),
    ...snapshot.threads.flatMap(({ comments }) => comments.flatMap((comment) => read(comment, 'thread'))),
  ]
}
