/** What is kept of the code of a finding: digests, never the code. */
export interface CodeTraits {
  /** Digest of the code that was found, and of that with the lines around it; null = the scanner sent none. */
  readonly snippet: string | null
  readonly context: string | null
  /** Sketches of both: how much of two codes is alike can be told from them. */
  readonly sketch: string
  readonly around: string
}

/** What a finding is known again by. */
export interface FindingTraits extends CodeTraits {
  readonly rule: string
  /** As the scanner gave it, last and first; the first is what our own files name it by. */
  readonly fingerprint: string | null
  readonly firstFingerprint: string | null
  readonly path: string
  readonly start: number | null
  readonly end: number | null
}

/** In few bytes: an event may carry a thousand of them. */
export function packCode({ snippet, context, sketch, around }: CodeTraits): string {
  return [snippet ?? '', context ?? '', sketch, around].join('.')
}

export function unpackCode(packed: string): CodeTraits {
  const [snippet = '', context = '', sketch = '', around = ''] = packed.split('.')
  return { snippet: snippet || null, context: context || null, sketch, around }
}
