import { addressRules } from './addresses.ts'
import { blockRules } from './blocks.ts'
import { chatRules, mailRules, paymentRules, softwareRules } from './business.ts'
import { cloudRules } from './cloud.ts'
import { contextRules } from './context.ts'
import { codeHostRules, modelRules, monitoringRules, pipelineRules, registryRules } from './development.ts'
import { headerRules } from './headers.ts'
import type { RedactionRule } from './rule.ts'
import { scholiastRules } from './scholiast.ts'
import { shapeRules } from './shapes.ts'

/** In order of precedence: if two rules match, the first names the marker. */
export const rules: readonly RedactionRule[] = [
  ...scholiastRules,
  ...blockRules,
  ...cloudRules,
  ...codeHostRules,
  ...pipelineRules,
  ...registryRules,
  ...chatRules,
  ...paymentRules,
  ...mailRules,
  ...modelRules,
  ...monitoringRules,
  ...softwareRules,
  ...addressRules,
  ...headerRules,
  ...contextRules,
  ...shapeRules,
]
