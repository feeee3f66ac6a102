// Learnings and labelled situations, written by hand and without a look at the ranking that they measure.
import { compatibility, graphql, restApi } from './learnings/api.ts'
import { documentation, flakyTests, naming, performance, testing } from './learnings/craft.ts'
import { machineLearning, pipelines, search } from './learnings/data.ts'
import { privacy, uploads, validation } from './learnings/data-protection.ts'
import { multiTenancy, orm, sql } from './learnings/databases.ts'
import { ci, dependencies, featureFlags } from './learnings/delivery.ts'
import { dates, email, i18n, money } from './learnings/domain.ts'
import { errorHandling, rateLimits, retries } from './learnings/failure.ts'
import { accessibility, css, react } from './learnings/front-end.ts'
import { go, python, rust } from './learnings/languages-server.ts'
import { cpp, javaKotlin, typescript } from './learnings/languages-typed.ts'
import { caching, concurrency, queues } from './learnings/messaging.ts'
import { logging, observability, onCall } from './learnings/operations.ts'
import { cloud, containers, mobile } from './learnings/platforms.ts'
import { authentication, authorization, secrets } from './learnings/security.ts'
import type { DiffRow, Learning, Situation } from './shapes.ts'
import { databaseDiffs } from './situations/diffs-databases.ts'
import { deliveryDiffs } from './situations/diffs-delivery.ts'
import { frontEndDiffs } from './situations/diffs-front-end.ts'
import { languageDiffs } from './situations/diffs-languages.ts'
import { securityDiffs } from './situations/diffs-security.ts'
import { serviceDiffs } from './situations/diffs-services.ts'
import { identifierQueries } from './situations/identifiers.ts'
import { productParaphrases } from './situations/paraphrases-product.ts'
import { serverParaphrases } from './situations/paraphrases-server.ts'

const tables = [
  [restApi, graphql, compatibility, sql, orm, multiTenancy, caching, queues, concurrency],
  [errorHandling, retries, rateLimits, logging, observability, onCall, featureFlags, ci, dependencies],
  [authentication, authorization, secrets, privacy, validation, uploads, react, css, accessibility],
  [containers, cloud, mobile, go, rust, python, javaKotlin, typescript, cpp],
  [pipelines, machineLearning, search, money, dates, i18n, email],
  [testing, flakyTests, documentation, naming, performance],
].flat()

export const learnings: readonly Learning[] = tables.flatMap(rowsOf).map(([id, text, file]) => ({
  id: given(id),
  text: given(text),
  ...(file === undefined ? {} : { file }),
}))

export const situations: {
  readonly paraphrases: readonly Situation[]
  readonly diffs: readonly Situation[]
  readonly identifiers: readonly Situation[]
} = {
  paraphrases: [serverParaphrases, productParaphrases].flatMap((rows) => textSituations('paraphrase', rows)),
  diffs: [databaseDiffs, serviceDiffs, deliveryDiffs, securityDiffs, frontEndDiffs, languageDiffs]
    .flat()
    .map(diffSituation),
  identifiers: textSituations('identifier', identifierQueries),
}

function textSituations(set: string, rows: string): Situation[] {
  return rowsOf(rows).map(([slugs, text]) => {
    const relevant = given(slugs).split(', ')
    return { id: situationId(set, relevant), text: given(text), relevant }
  })
}

function diffSituation({ relevant, files, diff }: DiffRow): Situation {
  return { id: situationId('diff', relevant), diff, files, relevant }
}

function situationId(set: string, relevant: readonly string[]): string {
  return [set, given(relevant[0])].join(':')
}

function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((row) => row.split(' | '))
}

function given(cell: string | undefined): string {
  if (cell === undefined || cell === '') throw new Error('A row of the retrieval corpus lacks a cell.')
  return cell
}
