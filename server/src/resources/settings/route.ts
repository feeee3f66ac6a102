import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import examples from './examples.json' with { type: 'json' }
import { changeSettings, readSettings } from './handlers.ts'
import { ChangedSettings, Settings, SettingsChange, SettingsQuery } from './schema.ts'

const common = {
  path: '/v1/settings',
  tag: 'Settings',
  keys: allButLegacyAndAgenticKeys,
  organization: 'required',
  plan: 'any',
  admin: true,
  limit: 'settings',
  refusals: ['NOT_FOUND'],
} as const

export const settings = defineEndpoint({
  ...common,
  method: 'GET',
  readsWithAdmission: true,
  operationId: 'getSettings',
  example: examples.settings,
  summary: 'Get settings',
  description:
    'Returns the settings of an organization or of one of its repositories, and which of them are inherited.',
  permission: 'organization_management:read',
  query: SettingsQuery,
  replies: { 200: { description: 'The settings that apply.', body: Settings } },
  run: readSettings,
})

export const settingsChange = defineEndpoint({
  ...common,
  method: 'PATCH',
  operationId: 'updateSettings',
  example: examples.settingsChange,
  summary: 'Change settings',
  description:
    'Changes the given settings of an organization or of one of its repositories. Existing Learnings do not change. Prices of ' +
    'reviewers and their currency belong to the organization. ' +
    '`metrics.enabled` cannot be changed here: ask the operator.',
  permission: 'organization_management:write',
  body: SettingsChange,
  prepare: async ({ stores }) => stores,
  replies: { 200: { description: 'The settings that apply now.', body: ChangedSettings } },
  run: changeSettings,
})
