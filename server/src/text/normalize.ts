// Also the half-width sound marks, which become combining marks in NFKC.
const longMarks = /([\p{M}\uff9e\uff9f]{30})(?=[\p{M}\uff9e\uff9f])/gu

/**
 * Like `String.normalize`, which sorts the combining marks of a letter in the square of their number: 10,000 marks would take
 * half a second. After 30 marks in a row, a joiner separates them (Stream-Safe Text Format, UAX #15). No script needs more.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFKC'): string {
  return text.replace(longMarks, '$1\u034f').normalize(form)
}
