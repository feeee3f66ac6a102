import { heldOutGenericKinds, heldOutKeyKinds } from './held-out/everyday.ts'
import {
  heldOutCiKinds,
  heldOutCloudKinds,
  heldOutGitKinds,
  heldOutRegistryKinds,
} from './held-out/infrastructure.ts'
import { heldOutDataKinds, heldOutIdentityKinds, heldOutSaasKinds } from './held-out/products.ts'
import {
  heldOutAiKinds,
  heldOutChatKinds,
  heldOutMessagingKinds,
  heldOutMonitoringKinds,
  heldOutPaymentKinds,
} from './held-out/services.ts'
import type { Kind } from './kind.ts'

/**
 * Kinds that whoever writes the rules has not looked at: written before the rules, drawn by lot (known-kinds.ts), and
 * without a prefix that a known kind has. Only counts may be read from a run; a rule made from this list ends its use.
 */
export const heldOutKinds: readonly Kind[] = [
  ...heldOutCloudKinds,
  ...heldOutGitKinds,
  ...heldOutCiKinds,
  ...heldOutRegistryKinds,
  ...heldOutChatKinds,
  ...heldOutPaymentKinds,
  ...heldOutMessagingKinds,
  ...heldOutAiKinds,
  ...heldOutMonitoringKinds,
  ...heldOutDataKinds,
  ...heldOutIdentityKinds,
  ...heldOutSaasKinds,
  ...heldOutKeyKinds,
  ...heldOutGenericKinds,
]
