import type { Kind } from './kind.ts'
import { chatKinds, messagingKinds, paymentKinds } from './known/business.ts'
import { cloudKinds } from './known/cloud.ts'
import { ciKinds, gitKinds, registryKinds } from './known/code-hosts.ts'
import { dataKinds } from './known/data.ts'
import { genericKinds } from './known/generic.ts'
import { identityKinds } from './known/identity.ts'
import { keyKinds, ownKinds } from './known/keys.ts'
import { saasKinds } from './known/saas.ts'
import { aiKinds, monitoringKinds } from './known/software.ts'

/**
 * Kinds that the rules may know. Known and held out were drawn by lot, family by family and within it among those with
 * and without a look of their own, issuers who share a prefix together. Our own keys and PEM blocks were set.
 */
export const knownKinds: readonly Kind[] = [
  ...cloudKinds,
  ...gitKinds,
  ...ciKinds,
  ...registryKinds,
  ...chatKinds,
  ...paymentKinds,
  ...messagingKinds,
  ...aiKinds,
  ...monitoringKinds,
  ...dataKinds,
  ...identityKinds,
  ...saasKinds,
  ...keyKinds,
  ...ownKinds,
  ...genericKinds,
]
