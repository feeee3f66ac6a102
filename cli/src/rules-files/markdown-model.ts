/** A line of a file. */
export interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
}

export interface ListBlock {
  readonly kind: 'list'
  readonly isOrdered: boolean
  readonly items: readonly { readonly line: number; readonly blocks: readonly Block[] }[]
}

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly lines: readonly Line[] }
  | {
      readonly kind: 'code'
      readonly line: number
      readonly info: string
      /** Without the fences. */
      readonly content: string
      /** With the fences. */
      readonly raw: string
    }
  | {
      readonly kind: 'table'
      readonly header: readonly string[]
      readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[]
    }
  | ListBlock

/** The info string of a code block that is a statement as it is: exports use it for texts that Markdown would change. */
export const learningInfo = 'text learning'
