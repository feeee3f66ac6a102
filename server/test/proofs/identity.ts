export { matchFindings } from '../../src/resources/security-scans/identity/match.ts'
export type { FindingTraits } from '../../src/resources/security-scans/identity/traits.ts'
export { describeCode } from '../../src/resources/security-scans/identity/traits.ts'
