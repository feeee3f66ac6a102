export interface Part {
  readonly text: string
  /** Whether this part is what makes it a secret; a prefix, a user name or a host is not. */
  readonly secret: boolean
}

/** A credential as it is handed out, with what has to be there around it. */
export type Value = readonly Part[]

/** Written text is plain, what is filled in is secret unless it says otherwise. */
export function secret(written: TemplateStringsArray, ...filled: readonly (string | Part)[]): Value {
  const parts = written.flatMap((text, index) => {
    const next = filled[index]
    if (next === undefined) return [plain(text)]
    return [plain(text), typeof next === 'string' ? { text: next, secret: true } : next]
  })
  return parts.filter(({ text }) => text !== '')
}

export function plain(text: string): Part {
  return { text, secret: false }
}
