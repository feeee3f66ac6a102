export { type ComparableFinding, pairFindings } from '../../src/text/pair-findings.ts'
export { compareSketches, MIN_SIMILARITY, sketchFinding } from '../../src/text/same-finding.ts'
