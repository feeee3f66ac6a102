import type { Category, RepositoryKind, Severity } from '../data.ts'
import type { PullRequest } from './pull-requests.ts'
import type { Random } from './random.ts'

type Weights = Readonly<Record<Severity, number>>

export interface Finding {
  readonly id: string
  readonly url: string
  readonly severity: Severity | null
  readonly category: Category | null
  readonly reviewer: string | null
}

const MAX_FINDINGS = 25
/** Mean number of findings by complexity. */
const meanFindings = [1, 2.6, 5, 9, 14]

const moreSevere: Weights = { critical: 2, major: 1.4, minor: 1, trivial: 0.5, info: 0.6 }
const unchanged: Weights = { critical: 1, major: 1, minor: 1, trivial: 1, info: 1 }
const lessSevere: Weights = { critical: 0.1, major: 0.4, minor: 0.9, trivial: 1.5, info: 1.4 }

const severityFactors: Readonly<Record<Category, Weights>> = {
  data_integrity_and_integration: moreSevere,
  functional_correctness: unchanged,
  maintainability_and_code_quality: lessSevere,
  performance_and_scalability: unchanged,
  security_and_privacy: moreSevere,
  stability_and_availability: moreSevere,
}

/** In the order of their comments. */
export function findingsOf(
  random: Random,
  pullRequest: PullRequest,
  kind: RepositoryKind,
  commentUrl: (index: number) => string,
): Finding[] {
  const { repository, number } = pullRequest
  const count = random.chance(0.1) ? 0 : countFindings(random, pullRequest)
  const findings: Finding[] = []
  for (let index = 0; index < count; index++) {
    // Several findings may share a comment.
    const shared = random.chance(0.06) ? findings.at(-1)?.url : undefined
    const category = random.weighted(kind.categories)
    findings.push({
      id: `${repository.repository_id}-${number}-${index + 1}`,
      url: shared ?? commentUrl(index),
      severity: random.chance(0.02) ? null : random.weighted(severitiesOf(kind, category)),
      category: random.chance(0.03) ? null : category,
      reviewer: random.chance(0.01) ? null : chooseReviewer(random, category),
    })
  }
  return findings
}

function countFindings(random: Random, { complexity, author }: PullRequest): number {
  const mean = (meanFindings[complexity - 1] ?? 0) * author.findingsFactor * random.around(1, 0.4)
  return Math.min(MAX_FINDINGS, random.count(mean))
}

function severitiesOf({ severities }: RepositoryKind, category: Category): Weights {
  const factors = severityFactors[category]
  return {
    critical: severities.critical * factors.critical,
    major: severities.major * factors.major,
    minor: severities.minor * factors.minor,
    trivial: severities.trivial * factors.trivial,
    info: severities.info * factors.info,
  }
}

function chooseReviewer(random: Random, category: Category): string {
  if (category === 'security_and_privacy') return random.chance(0.8) ? 'scholiast-security' : 'scholiast'
  if (category === 'maintainability_and_code_quality') return random.chance(0.4) ? 'house-rules' : 'scholiast'
  return 'scholiast'
}
