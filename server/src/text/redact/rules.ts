import { addressRules } from './addresses.ts'
import { blockRules } from './blocks.ts'
import { contextRules } from './context.ts'
import { headerRules } from './headers.ts'
import { issuedTokenRules } from './issued-tokens.ts'
import type { RedactionRule } from './rule.ts'
import { scholiastRules } from './scholiast.ts'
import { shapeRules } from './shapes.ts'

/** In order of precedence: if two rules match, the first names the marker. */
export const rules: readonly RedactionRule[] = [
  ...scholiastRules,
  ...blockRules,
  ...issuedTokenRules,
  ...addressRules,
  ...headerRules,
  ...contextRules,
  ...shapeRules,
]
