const MAX_TEXT_LENGTH = 4_000

/** Reviews compare the same Learnings again and again: keeps what was read from up to `maxTexts` texts. */
export function createTextCache<Value>(
  maxTexts: number,
  read: (text: string) => Value,
): (text: string) => Value {
  const cache = new Map<string, Value>()
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const value = read(text)
    if (text.length > MAX_TEXT_LENGTH) return value
    if (cache.size >= maxTexts) for (const oldest of cache.keys()) if (cache.delete(oldest)) break
    cache.set(text, value)
    return value
  }
}
