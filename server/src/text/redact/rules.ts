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

/** Where two find the same, the marker bears the name of the first. */
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
