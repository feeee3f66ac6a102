export type { RedactionRule } from '../src/text/redact/rule.ts'
export { rules } from '../src/text/redact/rules.ts'
export { findSecrets, REDACTOR_VERSION, redact } from '../src/text/redact.ts'
