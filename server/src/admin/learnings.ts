import { WORDS_ONLY } from '../learning-index/index-learnings.ts'
import { countRowsOfModel } from '../learning-index/maintenance/maintain-models.ts'
import { reindex } from '../learning-index/maintenance/reindex.ts'
import { type IndexStatus, readIndexStatusUnscoped } from '../learning-index/maintenance/sql.ts'
import {
  learningScopes,
  MAX_APPROVAL_DELAY_DAYS,
  readCalibrationsUnscoped,
  readLearningSettings,
} from '../learning-index/sql.ts'

import { createLog } from '../observe/log.ts'
import { readPendingLearningsById } from '../resources/learnings/read/pending-sql.ts'
import { type OwnSetting, readOwnSettings } from '../resources/settings/sql.ts'
import { setLearningSetting } from '../resources/settings/update.ts'
import { findCalibration } from '../text/rank/calibration.ts'
import { calibrate } from './calibrate.ts'
import { type AdminCommand, briefOutput, defineCommand, listPage, option, UsageError } from './command.ts'
import { changeOrganization } from './context.ts'
import { chooseEmbedder, embedderOption, embedderSettings } from './embedder.ts'

const SCOPE_SETTING = 'knowledge_base.learnings.scope'
const DELAY_SETTING = 'knowledge_base.learnings.approval_delay'
const NOT_SET = 'not set'

const targetOptions = {
  root: option.root,
  organization: option.organization,
  repository: option.text(
    'ID',
    'Id of a repository at the Git provider; its settings override the organization’s',
  ),
} as const

const showSettings = defineCommand({
  name: 'settings show',
  summary: `Show ${SCOPE_SETTING} and ${DELAY_SETTING}`,
  options: targetOptions,
  example: "--root 'Meridian Freight' --organization 41207731",
  run: (admin, values) =>
    changeOrganization(admin, values, async ({ scope, tx }, found) => {
      const { repository } = values
      if (repository !== undefined) {
        const settings = await readLearningSettings(scope, tx, found.id, [repository])
        const effective = settings.get(repository) ?? { scope: 'auto' as const, approval_delay: 0 }
        return { message: `Effective settings of repository ${repository}:`, fields: toFields(effective) }
      }
      const own = await readOwnSettings(scope, tx, found.id)
      const whole = own.find(({ repository_id }) => repository_id === '')
      const rows = [
        {
          of: found.name,
          ...toFields({ scope: whole?.scope ?? 'auto', approval_delay: whole?.approval_delay ?? 0 }),
        },
        ...own
          .filter(({ repository_id }) => repository_id !== '')
          .map((row) => ({ of: `${row.repository_name ?? ''} (${row.repository_id})`, ...toFields(row) })),
      ]
      return { rows, emptyMessage: '' }
    }),
})

const setSettings = defineCommand({
  name: 'settings set',
  summary: `Set ${SCOPE_SETTING} or ${DELAY_SETTING}`,
  options: {
    ...targetOptions,
    scope: option.choice(
      [...learningScopes, 'unset'],
      `${SCOPE_SETTING}: with auto, a public repository uses its own Learnings, a private one the organization’s`,
    ),
    'approval-delay': option.integer(
      0,
      MAX_APPROVAL_DELAY_DAYS,
      `${DELAY_SETTING}: days a Learning from chat waits for approval; 0 for none`,
    ),
    'unset-approval-delay': option.flag('Remove the value, so that the level above applies'),
    'dry-run': option.dryRun,
  },
  example: "--root 'Meridian Freight' --organization 41207731 --approval-delay 7 --dry-run",
  run(admin, values) {
    const wanted = parseSettingChange(values)
    const { repository = '', 'dry-run': dryRun } = values
    return changeOrganization(admin, values, async (change, { id, name }) => {
      const { changed, setting } = await setLearningSetting(change, id, repository, wanted)
      const targetName = repository === '' ? name : `repository ${repository}`
      const settingFields = toFields(setting)
      const now = Object.entries(settingFields)
        .map(([settingName, value]) => `${settingName} ${value}`)
        .join(', ')
      const fields = {
        organization_id: id,
        repository_id: repository || null,
        ...settingFields,
        changed,
        dry_run: dryRun,
      }
      if (!changed) return briefOutput(`Nothing to change. Settings of ${targetName}: ${now}.`, fields)
      return briefOutput(`Settings of ${targetName} ${dryRun ? 'would be' : 'are now'}: ${now}.`, fields)
    })
  },
})

interface SettingArguments {
  readonly scope: string | undefined
  readonly 'approval-delay': number | undefined
  readonly 'unset-approval-delay': boolean
}

function parseSettingChange(given: SettingArguments): Partial<OwnSetting> {
  const { scope, 'approval-delay': delay, 'unset-approval-delay': unset } = given
  if (delay !== undefined && unset) {
    throw new UsageError('--approval-delay and --unset-approval-delay cannot be combined.')
  }
  if (scope === undefined && delay === undefined && !unset) {
    throw new UsageError('Nothing to set: give --scope, --approval-delay or --unset-approval-delay.')
  }
  return {
    ...(scope === undefined ? {} : { scope: learningScopes.find((known) => known === scope) ?? null }),
    ...(delay === undefined && !unset ? {} : { approval_delay: delay ?? null }),
  }
}

function toFields({ scope, approval_delay }: OwnSetting): Record<string, string | number> {
  return { [SCOPE_SETTING]: scope ?? NOT_SET, [DELAY_SETTING]: approval_delay ?? NOT_SET }
}

const pending = defineCommand({
  name: 'learnings pending',
  summary: 'List the Learnings that are pending approval',
  options: {
    root: option.root,
    organization: option.organization,
    ...option.page,
    text: option.flag('Include the text of the Learnings'),
  },
  example: "--root 'Meridian Freight' --organization 41207731",
  run: (admin, values) =>
    listPage(values, 'This organization has no Learnings pending approval.', async (page) => {
      const found = await changeOrganization(admin, values, ({ scope, tx }, { id }) =>
        readPendingLearningsById(scope, tx, id, page),
      )
      return found.map((row) => ({
        id: row.id,
        repository: row.repository_id,
        source: row.source,
        deadline: row.deadline === null ? null : new Date(row.deadline).toISOString(),
        author: row.author_username ?? row.author_id,
        proposed: new Date(row.created_at).toISOString(),
        ...(values.text ? { learning: row.text.replaceAll(/\s+/g, ' ') } : {}),
      }))
    }),
})

const reindexLearnings = defineCommand({
  name: 'learnings reindex',
  summary: 'Embed every shared Learning with another model, then search with that model',
  environment: ['WORKER_DATABASE_URL', ...embedderSettings],
  options: {
    to: embedderOption,
    force: option.flag('Switch to the model even if a node does not seem to have it'),
    'dry-run': option.dryRun,
  },
  positionals: ['to'],
  example: '--to local --dry-run',
  async run(admin, { to: choice = 'configured', force, 'dry-run': dryRun }) {
    const to = chooseEmbedder(admin, choice)
    const { pool, now } = await admin.operator()
    const { shared, active } = await readIndexStatusUnscoped(pool)
    if (dryRun) {
      const fields = { from: active, to: to.model, learnings: shared, dry_run: true }
      return briefOutput(
        `Would embed ${shared} Learnings with ${to.model}; searches use ${active ?? 'no model yet'}.`,
        fields,
      )
    }
    const log = createLog('admin', 'silent')
    const result = await reindex({ database: pool, log, now, to, force, report: admin.reportProgress })
    const { from, embedded } = result
    const calibrated = findCalibration(to.model, await readCalibrationsUnscoped(pool)) !== null
    const fields = { from, to: to.model, embedded, calibrated }
    const use = calibrated ? `Searches use ${to.model}.` : describeUncalibrated(to.model)
    return briefOutput(`Embedded ${embedded} Learnings. ${use}`, fields)
  },
})

const showStatus = defineCommand({
  name: 'learnings status',
  summary: 'Show the index of Learnings: shared, waiting and failed ones, and models in use',
  async run(admin) {
    const { pool } = await admin.operator()
    const status = await readIndexStatusUnscoped(pool)
    const { active, filling } = status
    const indexed = await countRowsOfModel(pool, filling[0] ?? active ?? WORDS_ONLY)
    const calibrations = await readCalibrationsUnscoped(pool)
    const calibrated = active !== null && findCalibration(active, calibrations) !== null
    return {
      message: describeStatus(status, calibrated, indexed),
      fields: { ...status, searches_use: calibrated ? active : WORDS_ONLY, calibrated, indexed },
    }
  },
})

function describeUncalibrated(model: string): string {
  return `Searches use words only, because nobody has calibrated ${model}: run learnings calibrate --apply.`
}

function describeSearchModel(active: string | null, calibrated: boolean): string {
  if (active === null) return 'Searches use words only.'
  return calibrated ? `Searches use ${active}.` : describeUncalibrated(active)
}

function describeStatus(status: IndexStatus, calibrated: boolean, indexed: number): string {
  const { active, filling, failing, shared, terms_indexed } = status
  const sentences = [describeSearchModel(active, calibrated)]
  const [next] = filling
  if (next !== undefined)
    sentences.push(
      active === null
        ? `The worker reindexes with ${next}: ${indexed} of ${shared} Learnings.`
        : `Reindexing with ${next} is not finished: run learnings reindex again.`,
    )
  else if (active === null)
    sentences.push('To search by meaning, install the local model or set EMBEDDER_URL.')
  if (failing > 0)
    sentences.push(`${failing} Learnings could not be indexed: check that the model is reachable.`)
  if (!terms_indexed)
    sentences.push('Word searches are slow without their index: run database bootstrap again.')
  return sentences.join(' ')
}

export const learningCommands: readonly AdminCommand[] = [
  showSettings,
  setSettings,
  pending,
  reindexLearnings,
  calibrate,
  showStatus,
]
