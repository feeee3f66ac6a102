import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { NoPath, NoQuery } from '../../shape.ts'
import { settingsChangeExample, settingsExample } from './examples.ts'
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
  errorBody: 'error',
  params: NoPath,
  paging: null,
  refusals: ['NOT_FOUND'],
} as const

export const settings = defineEndpoint({
  ...common,
  method: 'GET',
  readsWithAdmission: true,
  operationId: 'getSettings',
  example: settingsExample,
  summary: 'Get settings',
  description:
    'Returns the settings of an organization or of one of its repositories, and which of them are inherited.',
  permission: 'organization_management:read',
  query: SettingsQuery,
  body: null,
  replies: { 200: { description: 'The settings that apply.', body: Settings } },
  run: readSettings,
})

export const settingsChange = defineEndpoint({
  ...common,
  method: 'PATCH',
  operationId: 'updateSettings',
  example: settingsChangeExample,
  summary: 'Change settings',
  description:
    'Changes the given settings of an organization or of one of its repositories. Existing Learnings do not change. Prices of ' +
    'reviewers and their currency belong to the organization. ' +
    '`metrics.enabled` cannot be changed here: ask the operator.',
  permission: 'organization_management:write',
  query: NoQuery,
  body: SettingsChange,
  prepare: async ({ stores }) => stores,
  replies: { 200: { description: 'The settings that apply now.', body: ChangedSettings } },
  run: changeSettings,
})
