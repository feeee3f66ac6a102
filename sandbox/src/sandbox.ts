/** Header that asks the proxy for an error. */
export const FORCE_HEADER = 'x-sandbox-force'
