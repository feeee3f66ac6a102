import type { Category, Severity } from '../../../metrics-store/findings.ts'
import type { NormalizedFinding } from '../../../resources/review-comments/payload.ts'
import type { Nature } from '../cast.ts'
import type { Chance } from './chance.ts'
import type { PullRequest } from './pull-requests.ts'

type Severities = Readonly<Record<Severity, number>>
type Categories = Readonly<Record<Category, number>>

const MOST_FINDINGS = 25
const FINDINGS = [1, 2.6, 5, 9, 14]

const severitiesOf: Readonly<Record<Nature, Severities>> = {
  service: { critical: 4, major: 18, minor: 34, trivial: 26, info: 18 },
  interface: { critical: 1, major: 10, minor: 32, trivial: 36, info: 21 },
  firmware: { critical: 7, major: 26, minor: 35, trivial: 20, info: 12 },
  exchange: { critical: 4, major: 24, minor: 35, trivial: 22, info: 15 },
  records: { critical: 5, major: 20, minor: 35, trivial: 24, info: 16 },
  site: { critical: 0.3, major: 5, minor: 25, trivial: 45, info: 25 },
}

const categoriesOf: Readonly<Record<Nature, Categories>> = {
  service: categories(14, 30, 26, 12, 8, 10),
  interface: categories(5, 34, 40, 11, 5, 5),
  firmware: categories(8, 28, 16, 14, 6, 28),
  exchange: categories(34, 20, 18, 12, 4, 12),
  records: categories(18, 24, 20, 6, 26, 6),
  site: categories(2, 22, 60, 12, 2, 2),
}

const grave: Severities = { critical: 2, major: 1.4, minor: 1, trivial: 0.5, info: 0.6 }
const plain: Severities = { critical: 1, major: 1, minor: 1, trivial: 1, info: 1 }
const light: Severities = { critical: 0.1, major: 0.4, minor: 0.9, trivial: 1.5, info: 1.4 }

const weightOf: Readonly<Record<Category, Severities>> = {
  data_integrity_and_integration: grave,
  functional_correctness: plain,
  maintainability_and_code_quality: light,
  performance_and_scalability: plain,
  security_and_privacy: grave,
  stability_and_availability: grave,
}

/** What the reviewers of an automated review found, in the order of their comments. */
export function findingsOf(
  chance: Chance,
  pullRequest: PullRequest,
  commentUrl: (index: number) => string,
): NormalizedFinding[] {
  const { repository, number } = pullRequest
  const count = chance.yes(0.1) ? 0 : countFindings(chance, pullRequest)
  const findings: NormalizedFinding[] = []
  for (let index = 0; index < count; index++) {
    // Several findings may share a comment.
    const shared = chance.yes(0.06) ? findings.at(-1)?.url : undefined
    const category = chance.weighted(categoriesOf[repository.nature])
    findings.push({
      id: `${repository.repositoryId}-${number}-${index + 1}`,
      url: shared ?? commentUrl(index),
      severity: chance.yes(0.02) ? null : chance.weighted(severitiesIn(repository.nature, category)),
      category: chance.yes(0.03) ? null : category,
      reviewer: chance.yes(0.01) ? null : reviewerOf(chance, category),
    })
  }
  return findings
}

function countFindings(chance: Chance, { complexity, author }: PullRequest): number {
  const mean = (FINDINGS[complexity - 1] ?? 0) * author.carelessness * chance.around(1, 0.4)
  return Math.min(MOST_FINDINGS, chance.count(mean))
}

function severitiesIn(nature: Nature, category: Category): Severities {
  const [mix, weight] = [severitiesOf[nature], weightOf[category]]
  return {
    critical: mix.critical * weight.critical,
    major: mix.major * weight.major,
    minor: mix.minor * weight.minor,
    trivial: mix.trivial * weight.trivial,
    info: mix.info * weight.info,
  }
}

function reviewerOf(chance: Chance, category: Category): string {
  if (category === 'security_and_privacy') return chance.yes(0.8) ? 'scholiast-security' : 'scholiast'
  if (category === 'maintainability_and_code_quality') return chance.yes(0.4) ? 'house-rules' : 'scholiast'
  return 'scholiast'
}

function categories(
  data: number,
  correctness: number,
  maintainability: number,
  performance: number,
  security: number,
  stability: number,
): Categories {
  return {
    data_integrity_and_integration: data,
    functional_correctness: correctness,
    maintainability_and_code_quality: maintainability,
    performance_and_scalability: performance,
    security_and_privacy: security,
    stability_and_availability: stability,
  }
}
