/** Why a control is disabled or a screen refused, by the code of the API. */
const refusals: Readonly<Record<string, string>> = {
  PERMISSION_DENIED: 'Your role does not include this permission. An admin can change your role.',
  NOT_ADMIN: 'Only organization admins can do this. Ask one of them.',
  KEY_KIND_NOT_ALLOWED: 'This works inside one organization. Choose one at the top left.',
  ORG_ID_REQUIRED: 'This works inside one organization. Choose one at the top left.',
  ENTERPRISE_REQUIRED: 'This requires the Enterprise plan with an active subscription.',
  NO_ACTIVE_SUBSCRIPTION: 'The Enterprise subscription of this organization is no longer active.',
  SELF_HOSTED_ONLY: 'This is only available on a self-hosted instance.',
  METRICS_UNAVAILABLE: 'Metrics are turned off here. The operator of the service can turn them on.',
  OWNER_NOT_ADMIN: 'You are no longer an admin of the workspace. Choose one organization at the top left.',
  REAUTHENTICATION_REQUIRED: 'You last signed in more than 10 minutes ago. Sign in again to continue.',
}

export function explainRefusal(code: string): string {
  return refusals[code] ?? `The service does not allow this (${code}). Ask an admin why.`
}

const planLimits = new Set(['ENTERPRISE_REQUIRED', 'NO_ACTIVE_SUBSCRIPTION'])
const installationLimits = new Set(['SELF_HOSTED_ONLY', 'METRICS_UNAVAILABLE'])

/** What a refusal is about: the plan, this installation, or the person. */
export function nameRefusal(code: string, what: string): string {
  if (planLimits.has(code)) return `Your plan does not include the ${what}.`
  if (installationLimits.has(code)) return `The ${what} are not available here.`
  return `You do not have access to the ${what}.`
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
