/** What is stored of a finding's code: digests, never the code itself. */
export interface CodeTraits {
  /** Digests of the code and of the code with the lines around it; null if the scanner sent none. */
  readonly snippet: string | null
  readonly context: string | null
  /** Sketches of the code and of its surroundings, which estimate how similar two pieces of code are. */
  readonly sketch: string
  readonly around: string
}

/** Everything that identifies a finding in a later scan. */
export interface FindingTraits extends CodeTraits {
  readonly rule: string
  /** The scanner's last and first fingerprint; our own SARIF files carry the first. */
  readonly fingerprint: string | null
  readonly firstFingerprint: string | null
  readonly path: string
  readonly start: number | null
  readonly end: number | null
}

/** Compact, because an event can have a thousand of them. */
export function packCode({ snippet, context, sketch, around }: CodeTraits): string {
  return [snippet ?? '', context ?? '', sketch, around].join('.')
}

export function unpackCode(packed: string): CodeTraits {
  const [snippet = '', context = '', sketch = '', around = ''] = packed.split('.')
  return { snippet: snippet || null, context: context || null, sketch, around }
}
