import { defaultLimits } from '../src/config.ts'

/** Settings of a process without rate limits. */
export const limitsOff: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(defaultLimits).map((name) => [`LIMIT_${name.toUpperCase().replaceAll('-', '_')}`, 'off']),
)
