import type { Remark } from './finding.ts'
import type { AddedLine } from './git.ts'

type Rule = Pick<Remark, 'severity' | 'category' | 'message'> & { readonly pattern: RegExp }

// Replace these by what your team looks for. They work without a model and give the same result every time.
const rules: readonly Rule[] = [
  {
    pattern: /\b(?:password|secret|api_?key|token)\b\s*[:=]\s*['"][^'"]{8,}['"]/i,
    severity: 'critical',
    category: 'security_and_privacy',
    message: 'A credential is in the code. Read it from the environment, and revoke this one.',
  },
  {
    pattern: /\beval\(/,
    severity: 'major',
    category: 'security_and_privacy',
    message: '`eval` runs whatever text it is given. Parse the text instead.',
  },
  {
    pattern: /\bcatch\b[^{]*\{\s*\}/,
    severity: 'major',
    category: 'stability_and_availability',
    message: 'The error is dropped. Handle it, or let it pass to the caller.',
  },
  {
    pattern: /\b(?:SELECT|UPDATE|DELETE)\b[^'"`]*(?:['"]\s*\+|\$\{)/i,
    severity: 'major',
    category: 'security_and_privacy',
    message: 'A value is joined into SQL. Pass it as a parameter.',
  },
  {
    pattern: /\bconsole\.(?:log|debug)\(|\bdebugger\b/,
    severity: 'minor',
    category: 'maintainability_and_code_quality',
    message: 'Debugging output is left in the code.',
  },
  {
    pattern: /\b(?:TODO|FIXME)\b(?!.*#\d)/,
    severity: 'trivial',
    category: 'maintainability_and_code_quality',
    message: 'Name the issue that tracks this.',
  },
]

export function applyRules(lines: readonly AddedLine[]): Remark[] {
  return lines.flatMap(({ file, line, text }) =>
    rules
      .filter(({ pattern }) => pattern.test(text))
      .map(({ severity, category, message }) => ({ file, line, severity, category, message })),
  )
}
