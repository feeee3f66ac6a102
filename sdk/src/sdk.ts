/** The one error class of this package. */
export class ScholiastError extends Error {
  override readonly name = 'ScholiastError'
}
