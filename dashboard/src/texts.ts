/** Why a control is disabled or a screen refused, by the code of the API. */
const refusals: Readonly<Record<string, string>> = {
  PERMISSION_DENIED: 'Your role does not include this permission. An admin can change your role.',
  NOT_ADMIN: 'Only admins of the organization may do this. Ask one of them.',
  KEY_KIND_NOT_ALLOWED: 'This works inside one organization. Choose one at the top left.',
  ORG_ID_REQUIRED: 'This works inside one organization. Choose one at the top left.',
  ENTERPRISE_REQUIRED: 'This needs the Enterprise plan with an active subscription.',
  NO_ACTIVE_SUBSCRIPTION: 'The Enterprise subscription of this organization is not active.',
  SELF_HOSTED_ONLY: 'This is available to organizations of a self-hosted instance only.',
  METRICS_UNAVAILABLE: 'Metrics are switched off here. The operator of the service can switch them on.',
  OWNER_NOT_ADMIN: 'You are no longer an admin of the workspace. Choose one organization at the top left.',
  REAUTHENTICATION_REQUIRED: 'Your last sign-in is more than 10 minutes ago. Sign in again to continue.',
}

export function explainRefusal(code: string): string {
  return refusals[code] ?? `The service refuses this for you (${code}). An admin can say why.`
}

/** Severities in order; the API has null for one that is absent or unknown. */
export const severities = ['critical', 'major', 'minor', 'trivial', 'info', 'unknown'] as const

/** What a finding is about; the last one is null in the API. */
export const categories: Readonly<Record<string, string>> = {
  functional_correctness: 'Functional correctness',
  maintainability_and_code_quality: 'Maintainability and code quality',
  data_integrity_and_integration: 'Data integrity and integration',
  performance_and_scalability: 'Performance and scalability',
  security_and_privacy: 'Security and privacy',
  stability_and_availability: 'Stability and availability',
  unknown: 'Unknown',
}
