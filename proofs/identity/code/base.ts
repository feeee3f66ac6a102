/** A file as a scanner sees it. Blocks are divided by a line of three dashes; a line that ends in ‹n› has finding n. */
export interface Base {
  readonly path: string
  readonly code: string
  readonly findings: Readonly<Record<number, Labelled>>
  /** Where it may be moved to, with another name. */
  readonly renamed: string
  /** A block with one more finding of the rule, marked ‹9›, that has nothing to do with the others. */
  readonly fresh: string
  readonly freshRule: string
  /** Lines that somebody may put above or between: no finding in them. */
  readonly filler: string
  /** How a comment of one line begins. */
  readonly comment: '//' | '#'
}

export interface Labelled {
  readonly rule: string
  /** The line after somebody has worked at it without removing the fault. */
  readonly edited: string
  /** The line when the fault is gone. */
  readonly fixed: string
}
