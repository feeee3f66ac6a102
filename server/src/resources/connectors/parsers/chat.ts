import { findTextFlags, type TextFlag } from '../../../text/flags.ts'
import { redact } from '../../../text/redact.ts'
import type { OwnBot } from '../schema.ts'
import type { ProviderComment, ProviderUser, PullRequestSnapshot } from '../snapshot.ts'
import { type BotFinder, createBotFinder, listMentions } from './bots.ts'
import { readMarkup } from './markup.ts'

// What people say to a bot in review chat and mean for every later review: "remember …", "never …", "from now on …". It becomes a
// proposal that waits for a person, so a sentence that only resembles an instruction is left out. Quoted texts, code and
// questions say nothing by themselves.

export interface ChatInstruction {
  /** `remember` is a proposal; `why` asks which Learnings apply. */
  readonly kind: 'remember' | 'why'
  /** Commands start with /scholiast; whether the account may use them is for the caller to check. */
  readonly isCommand: boolean
  /** The proposed text, redacted; empty for `why`. */
  readonly text: string
  readonly flags: readonly TextFlag[]
  readonly commentId: string
  readonly url: string
  readonly author: ProviderUser
  readonly at: string
  /** The file of the thread; null = a comment on the whole pull request. */
  readonly file: string | null
}

const MAX_TEXT_CHARACTERS = 2000
const MIN_WORDS = 2
/** Limit per comment: further ones are left out. */
const MAX_INSTRUCTIONS = 10

export function listChatInstructions(
  snapshot: PullRequestSnapshot,
  ownBots: readonly OwnBot[] = [],
): ChatInstruction[] {
  const findBot = createBotFinder(ownBots)
  const mentions = listMentions(ownBots)
  const inThreads = snapshot.threads.flatMap(({ comments: [opener, ...replies], path }) => {
    if (!opener) return []
    const isBotThread = findBot(opener.user, opener.body) !== null
    const rest = replies.flatMap((comment) => readComment(comment, path, isBotThread, findBot, mentions))
    return [...readComment(opener, path, false, findBot, mentions), ...rest]
  })
  return [
    ...inThreads,
    ...snapshot.comments.flatMap((one) => readComment(one, null, false, findBot, mentions)),
  ]
}

function readComment(
  comment: ProviderComment,
  file: string | null,
  isBotThread: boolean,
  findBot: BotFinder,
  mentions: readonly string[],
): ChatInstruction[] {
  const { user: author, id: commentId, url, createdAt: at, body } = comment
  if (author === null || author.isBot || findBot(author, body) !== null) return []
  return readInstructions(body, isBotThread, mentions).map(({ kind, isCommand, text }) => ({
    kind,
    isCommand,
    text,
    flags: findTextFlags(text),
    commentId,
    url,
    author,
    at,
    file,
  }))
}

type Instruction = Pick<ChatInstruction, 'kind' | 'isCommand' | 'text'>

/** `isToBot`: the comment answers a bot, so that it needs no mention. */
export function readInstructions(body: string, isToBot: boolean, mentions: readonly string[]): Instruction[] {
  const found: Instruction[] = []
  for (const paragraph of listParagraphs(body)) {
    if (found.length >= MAX_INSTRUCTIONS) break
    const command = readCommand(paragraph)
    if (command) {
      found.push(command)
      continue
    }
    const { text, isMentioned } = removeMention(paragraph, mentions)
    if (!isMentioned && !isToBot) continue
    for (const instruction of readParagraph(text))
      found.push({ kind: 'remember', isCommand: false, text: instruction })
  }
  return found.slice(0, MAX_INSTRUCTIONS)
}

/** Paragraphs and items of lists as single lines, without quotes, code blocks and hidden comments. */
function listParagraphs(body: string): string[] {
  const paragraphs: string[][] = [[]]
  for (const { text, code } of readMarkup(blankQuotes(body)).lines) {
    const line = text.trim()
    // Four spaces make a code block too.
    if (code !== null || line === '' || /^(?: {4}|\t)/.test(text)) paragraphs.push([])
    else if (/^(?:[-*+]|\d{1,3}[.)])\s|^\/scholiast\b/.test(line))
      paragraphs.push([line.replace(/^(?:[-*+]|\d{1,3}[.)])\s+/, '')])
    else paragraphs.at(-1)?.push(line)
  }
  return paragraphs.map((lines) => lines.join(' ')).filter((text) => text !== '')
}

/** A quoted line is what somebody else said. */
function blankQuotes(body: string): string {
  return body
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => (line.trimStart().startsWith('>') ? '' : line))
    .join('\n')
}

function readCommand(paragraph: string): Instruction | null {
  const [, name, rest = ''] = /^\/scholiast\s{1,5}(remember|why)\b:?(.*)$/is.exec(paragraph) ?? []
  if (name === undefined) return null
  if (name.toLowerCase() === 'why') return { kind: 'why', isCommand: true, text: '' }
  const text = finishText(rest.replace(/^\s{1,5}that\s/i, ''))
  return text === null ? null : { kind: 'remember', isCommand: true, text }
}

interface Addressed {
  readonly text: string
  readonly isMentioned: boolean
}

/** Only a paragraph that starts with the bot's name, or ends with it, is meant for it. */
function removeMention(paragraph: string, mentions: readonly string[]): Addressed {
  const [, first, rest] =
    /^(?:(?:hey|hi|hello|thanks|ok|okay)[,!]?\s)?@([\w-]{1,60}(?:\[bot\])?)[,:!]?\s(.*)$/is.exec(paragraph) ??
    []
  if (first !== undefined && isMention(first, mentions)) return { text: rest ?? '', isMentioned: true }
  const [, before, last] = /^(.*)\s@([\w-]{1,60})[.!]?$/s.exec(paragraph) ?? []
  if (last !== undefined && isMention(last, mentions)) return { text: before ?? '', isMentioned: true }
  return { text: paragraph, isMentioned: false }
}

function isMention(name: string, mentions: readonly string[]): boolean {
  return mentions.includes(name.toLowerCase().replace(/\[bot\]$/, ''))
}

const filler =
  'please |pls |also |and |so |but |ok |okay |yes |no |well |right |fine |just |then |kindly |you (?:can|may|should|must) '
/** Words that begin an instruction and are not part of what is remembered. `Note that …` is only information. */
const remember = new RegExp(
  `^(?:${filler})*(?:(?:remember|keep in mind|bear in mind|learn|memorize)(?: this)?(?: for (?:the future|later|next time|future reviews|future prs))?(?:,? (?:that|to)\\b| ?[:,—–-])|(?:note(?: for (?:the future|later|next time|future reviews))?|add a learning|save this as a learning|for the record) ?[:—–-])`,
  'i',
)
const fromNowOn = new RegExp(
  `^(?:${filler})*(?:from now on|going forward|in (?:the )?future(?: reviews| prs)?|for (?:all )?future (?:reviews|prs|reference)|next time|as a (?:general )?rule|in general|generally)[,:]?\\s`,
  'i',
)
/** `Ignore generated files in future.` */
const inFuture = /\s(?:in (?:the )?future(?: reviews| prs)?|from now on|going forward)[.!]?$/i
/** `…, please remember.` */
const atTheEnd =
  /[,;]? (?:please |so please )(?:remember|keep (?:this|that) in mind|note)(?: (?:this|that))?[.!]?$/i
/** What was said before is the instruction. */
const asSaid =
  /^(?:please |so please )?(?:remember (?:this|that)|(?:keep|bear) (?:this|that) in mind|learn (?:this|that))(?: (?:for|in|next)\b[^.]{0,60})?[.!]?$/i
/** `Never log …`, `we always use …`, `do not flag …`: what is said is the instruction. */
const rule = new RegExp(
  `^(?:${filler})*(?:(?:we|one|reviewers?|the team|our team|(?!(?:this|that|it|he|she|they|you|i|there|which)\\b)(?:[\\p{L}-]{2,30} ){1,4}(?:should|must|shall)) )?(?:should |must |do |shall )?(?:always|never(?: ever)?|don't ever|do not ever|stop \\p{L}{2,20}ing\\b|(?:don't|do not) (?:flag|report|suggest|comment on|warn about|complain about|recommend))\\s`,
  'iu',
)
/** `Don't use … anywhere.` */
const prohibition =
  /^(?:please )?(?:don't|do not|avoid|use|prefer)\s.{1,300}\b(?:anywhere|everywhere|in (?:this|our) (?:repo|repository|project|code ?base))\b/i
/** Begins like a rule and tells a story, or says how the code behaves. */
const talk =
  /\b(?:always|never)(?: ever)? (?:mind|happy|glad|welcome|good|nice|a|an|the|fun|up|thought|knew|seen|saw|say|said|noticed|tried|been|was|were|is|are|had|got|did|made|came|went|hit|hits|worked|works|happens|occurs|fails|returns|reach|reaches|get here|be (?:null|undefined|true|false|empty|zero|called|reached|hit)|null|true|false|empty|called|used|reached)\b/i
const about = /^(?:i|i'll|i'd|i've|i'm|this|that|it|its|it's|there|he|she|they|you|will|the pr|the change)\b/i
const pointing = /\b(?:look at|see|on|at) lines? \d/i
/** Holds for this pull request only. */
const once =
  /\b(?:in|for|on) this (?:pr|pull request|mr|merge request|branch|commit|case|time|file only)\b|\bjust this once\b|\bthis once\b|\bfor now\b|\bonly here\b/i
const undecided = /\b(?:maybe|perhaps|i think|i guess|not sure|i wonder|might|would it|could we|should we)\b/i

function readParagraph(paragraph: string): string[] {
  const sentences = splitSentences(paragraph)
  const found: (string | null)[] = []
  for (const [index, sentence] of sentences.entries()) {
    const plain = removeCourtesy(sentence)
    if (sentence.endsWith('?') || isNoInstruction(plain)) continue
    if (asSaid.test(plain)) return toTexts([finishText(sentences.slice(0, index).join(' '))])
    const later = fromNowOn.exec(plain)
    const marked = remember.exec(plain) ?? later
    if (marked) {
      const rest = plain.slice(marked[0].length).trim()
      if (later && about.test(rest)) continue
      // What follows in the paragraph explains what to remember.
      const explanation = sentences.slice(index + 1).filter((one) => !one.endsWith('?'))
      return toTexts([...found, finishText([rest, ...explanation].join(' '))])
    }
    found.push(readRule(plain))
  }
  return toTexts(found)
}

function readRule(sentence: string): string | null {
  if (atTheEnd.test(sentence)) return finishText(`${sentence.replace(atTheEnd, '')}.`)
  if (talk.test(sentence) || pointing.test(sentence)) return null
  const isRule =
    rule.test(sentence) || prohibition.test(sentence) || (inFuture.test(sentence) && !about.test(sentence))
  return isRule ? finishText(sentence.replace(leading, '')) : null
}

const leading = /^(?:please |pls |also |and |so |but |ok |okay |yes |no |well |right )+/i

function toTexts(found: readonly (string | null)[]): string[] {
  return found.filter((text) => text !== null)
}

function isNoInstruction(sentence: string): boolean {
  return once.test(sentence) || undecided.test(sentence) || isNegated(sentence)
}

function isNegated(sentence: string): boolean {
  return /\b(?:don't|do not|no need to|not necessary to|can't|cannot|couldn't|didn't) (?:have to )?(?:remember|learn|note|memorize)\b/i.test(
    sentence,
  )
}

/** `Thanks, but remember that …`, `Good catch. Remember …`. */
function removeCourtesy(sentence: string): string {
  return sentence.replace(
    /^(?:thanks|thank you|good (?:catch|point)|nope|sorry|agreed|true|correct|sure|no|yes|ok|okay|fine|this is intentional|false positive|not an issue|won't fix|wontfix)[,;:.—–-]{1,2}\s?(?:but |and |so )?/i,
    '',
  )
}

/** Splits after `.`, `!` and `?` before a space, but not inside `code` or "quotes". */
function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  let inCode = false
  let inQuote = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '`') inCode = !inCode
    else if (character === '"' || character === '“' || character === '”')
      inQuote = character === '“' || (character === '"' && !inQuote)
    const isEnd = '.!?'.includes(character) && (at + 1 === text.length || text[at + 1] === ' ')
    if (!isEnd || inCode || inQuote || isAbbreviation(text, at)) continue
    sentences.push(text.slice(start, at + 1).trim())
    start = at + 1
  }
  sentences.push(text.slice(start).trim())
  return sentences.filter((sentence) => sentence !== '')
}

function isAbbreviation(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4), at).toLowerCase()
  return before.endsWith('e.g') || before.endsWith('i.e') || before.endsWith('etc') || before.endsWith('vs')
}

/** null = too little to be worth remembering. */
function finishText(said: string): string | null {
  const trimmed = said.replace(/^[\s,:;—–-]{1,10}/, '').replace(/[\s;]{1,10}$/, '')
  // A credential that is cut would not be recognized any more.
  const text = redact(trimmed.toWellFormed().replaceAll('\0', ''))
    .text.slice(0, MAX_TEXT_CHARACTERS)
    .toWellFormed()
  if (text.split(/\s+/).length < MIN_WORDS || text.endsWith('?')) return null
  return text.charAt(0).toUpperCase() + text.slice(1)
}
