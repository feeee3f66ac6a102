import type { ChangeContext } from '../../access/change-context.ts'
import {
  learningScopes,
  MAX_APPROVAL_DELAY_DAYS,
  readLearningSettings,
} from '../../learning-index/setting-sql.ts'
import { type OwnSetting, readOwnSettings } from '../../resources/learnings/settings-sql.ts'
import { setLearningSetting } from '../../resources/learnings/update-setting.ts'
import { findOrganizationByText } from '../../resources/organizations/list-all.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  dryRunOption,
  organizationOption,
  rootOption,
  UsageError,
} from '../command.ts'
import { changeRoot } from '../context.ts'

const SCOPE_SETTING = 'knowledge_base.learnings.scope'
const DELAY_SETTING = 'knowledge_base.learnings.approval_delay'
const NOT_SET = 'not set'

const targetOptions = {
  root: rootOption,
  organization: organizationOption,
  repository: {
    kind: 'text',
    placeholder: 'ID',
    summary: 'Of one repository, by its id at the Git provider; it wins over the organization',
  },
} as const

const show = defineCommand({
  name: 'settings show',
  summary: `Show ${SCOPE_SETTING} and ${DELAY_SETTING}`,
  options: targetOptions,
  example: "--root 'Meridian Freight' --organization 41207731",
  run(admin, { root, organization, repository }) {
    return changeRoot(admin, root, async ({ scope, tx }) => {
      const found = await findOrganizationByText(scope, tx, organization)
      if (repository !== undefined) {
        const settings = await readLearningSettings(scope, tx, found.id, [repository])
        const effective = settings.get(repository) ?? { scope: 'auto' as const, approval_delay: 0 }
        return { message: `What holds for the repository ${repository}:`, fields: toFields(effective) }
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
    })
  },
})

const set = defineCommand({
  name: 'settings set',
  summary: `Set ${SCOPE_SETTING} or ${DELAY_SETTING}`,
  options: {
    ...targetOptions,
    scope: {
      kind: 'choice',
      choices: [...learningScopes, 'unset'],
      summary: `${SCOPE_SETTING}: auto = a public repository its own, a private one the organization’s; global; local`,
    },
    'approval-delay': {
      kind: 'integer',
      min: 0,
      max: MAX_APPROVAL_DELAY_DAYS,
      summary: `${DELAY_SETTING}: days that a Learning from chat waits; 0 = none`,
    },
    'unset-approval-delay': { kind: 'flag', summary: 'What holds above it holds again' },
    'dry-run': dryRunOption,
  },
  example: "--root 'Meridian Freight' --organization 41207731 --approval-delay 7 --dry-run",
  run(admin, values) {
    const wanted = parseSettingChange(values)
    const { root, organization, repository = '', 'dry-run': dryRun } = values
    const work = async (change: ChangeContext) => {
      const { id, name } = await findOrganizationByText(change.scope, change.tx, organization)
      const { changed, setting } = await setLearningSetting(change, id, repository, wanted)
      const targetName = repository === '' ? name : `the repository ${repository}`
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
      if (!changed) return briefOutput(`Nothing to change: of ${targetName}, ${now}.`, fields)
      return briefOutput(`Of ${targetName}, ${dryRun ? 'would be' : 'now'}: ${now}.`, fields)
    }
    return changeRoot(admin, root, work, { dryRun })
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
    throw new UsageError('Give --approval-delay or --unset-approval-delay, not both.')
  }
  if (scope === undefined && delay === undefined && !unset) {
    throw new UsageError('Say what to set: --scope, --approval-delay or --unset-approval-delay.')
  }
  return {
    ...(scope === undefined ? {} : { scope: learningScopes.find((known) => known === scope) ?? null }),
    ...(delay === undefined && !unset ? {} : { approval_delay: delay ?? null }),
  }
}

function toFields({ scope, approval_delay }: OwnSetting): Record<string, string | number> {
  return { [SCOPE_SETTING]: scope ?? NOT_SET, [DELAY_SETTING]: approval_delay ?? NOT_SET }
}

export const settingCommands: readonly AdminCommand[] = [show, set]
