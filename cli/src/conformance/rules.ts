import { authenticationRules } from './authentication.ts'
import { bodyRules } from './bodies.ts'
import { cursorRules } from './cursors.ts'
import { errorRules } from './errors.ts'
import { formatRules } from './formats.ts'
import { keysSelfRules } from './keys-self.ts'
import { orderRules } from './order-of-checks.ts'
import type { Rule } from './rule.ts'
import { shapeRules } from './shape.ts'
import { writeRules } from './writes.ts'

export const rules: readonly Rule[] = [
  ...authenticationRules,
  ...keysSelfRules,
  ...errorRules,
  ...orderRules,
  ...shapeRules,
  ...bodyRules,
  ...cursorRules,
  ...formatRules,
  ...writeRules,
]
