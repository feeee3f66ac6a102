/** One line that is overwritten on a terminal. Elsewhere only finished steps are written. */
export class Progress {
  readonly #stream: NodeJS.WriteStream
  #shownAt = 0

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
  }

  show(line: string): void {
    if (!this.#stream.isTTY || Date.now() - this.#shownAt < 100) return
    this.#shownAt = Date.now()
    this.#stream.write(`\r\x1b[K${line}`)
  }

  done(line: string): void {
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[K${line}\n` : `${line}\n`)
  }
}
