// Distinguishes random strings from names that people choose.

// Common letter pairs of European languages; one in four random pairs is among them.
const commonBigrams = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ' +
    'ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ' +
    'ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ' +
    'ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov ' +
    'by rm ep tt oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi ' +
    'rc rr eg au ck ew mu br bi pt ak pu ui rg ib ki rk ob ms ud mb ip ub sk ys tl nv ok iz ze ax xt ko ek ja je ' +
    'ku ka sz zy ow gd eu ju az ak we xy ox dg kt ws aw wn sy sy gn'
  ).split(' '),
)
const shortWords = new Set('is of id to in on at my no db ci qa ui io eu us vm os ip js ts go'.split(' '))
const piecePattern = /[A-Z]?[a-z]{1,60}|[A-Z]{1,60}|[0-9]{1,60}/g
const hexOnly = /^(?:0x)?(?:[0-9a-f]{1,600}|[0-9A-F]{1,600})$/

const DEFAULT_WORD_SHARE = 0.55
const LONG_PIECE = 24
/** A prefix of this length is enough to classify a text. */
const MAX_INSPECTED_CHARACTERS = 120

export function isHex(text: string, minLength: number): boolean {
  return text.length >= minLength && hexOnly.test(text)
}

/** Whether the text consists mostly of words, with the digits and separators that names have. */
export function isMadeOfWords(whole: string, minWordShare = DEFAULT_WORD_SHARE): boolean {
  const text = whole.slice(0, MAX_INSPECTED_CHARACTERS)
  let words = 0
  let all = 0
  for (const { 0: piece, index } of text.matchAll(piecePattern)) {
    const isNumber = /^[0-9]/.test(piece)
    if (isNumber && piece.length <= 4 && standsAlone(text, index, piece.length)) continue
    all += piece.length
    if (!isNumber && isWord(piece)) words += piece.length
  }
  return all === 0 || words / all >= minWordShare
}

function isWord(piece: string): boolean {
  const letters = piece.toLowerCase()
  if (letters.length < 3) return shortWords.has(letters)
  if (!/[aeiouy]/.test(letters)) return false
  let common = 0
  for (let at = 0; at + 1 < letters.length; at++) if (commonBigrams.has(letters.slice(at, at + 2))) common++
  const share = common / (letters.length - 1)
  // Capitals and long runs of letters are more often random than names.
  return share >= (letters.length > LONG_PIECE || piece === piece.toUpperCase() ? 0.75 : 0.66)
}

function standsAlone(text: string, start: number, length: number): boolean {
  const separator = /[^A-Za-z0-9]/
  const before = text.charAt(start - 1)
  const after = text.charAt(start + length)
  return (before === '' || separator.test(before)) && (after === '' || separator.test(after))
}

export function countClasses(text: string): number {
  return [/[a-z]/, /[A-Z]/, /[0-9]/].filter((letters) => letters.test(text)).length
}

export function countDistinct(text: string): number {
  return new Set(text.slice(0, MAX_INSPECTED_CHARACTERS)).size
}

/** Not made of words, with enough distinct characters for its length. */
export function isRandom(text: string, minWordShare = DEFAULT_WORD_SHARE): boolean {
  if (countDistinct(text) < Math.min(12, text.length * 0.3)) return false
  return countClasses(text) >= 2 ? !isMadeOfWords(text, minWordShare) : isUnreadable(text)
}

/** For texts of one character class: only digits are a number, and pronounceable letters are a word. */
function isUnreadable(text: string): boolean {
  return text.length >= 12 && /[A-Za-z]/.test(text) && !isMadeOfWords(text)
}
