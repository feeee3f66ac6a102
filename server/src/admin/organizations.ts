import type { ChangeContext } from '../access/change-context.ts'
import type { InstanceId, ProviderOrganizationId } from '../ids.ts'
import {
  findOrganizationByText,
  listAllOrganizations,
  listAllRepositories,
} from '../resources/organizations/list-all.ts'
import {
  activateOrganization,
  addRepository,
  createOrganization,
  deactivateOrganization,
  renameOrganization,
  setOrganizationMetrics,
} from '../resources/organizations/manage.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  dryRunOption,
  idFormat,
  organizationOption,
  pageOptions,
  renderNextPageHint,
  rootOption,
  toPage,
} from './command.ts'
import { changeRoot } from './context.ts'
import { changeChosenRoot, rootChoiceOptions } from './root-choice.ts'

const providerId = {
  pattern: /^[^\s:,]+$/,
  description: 'an id from the Git provider, without spaces, colons or commas',
}

const create = defineCommand({
  name: 'organization create',
  summary: 'Create an organization, in a workspace or instance or as its own tenant root',
  options: {
    name: { kind: 'text', placeholder: 'NAME', required: true, summary: 'Name' },
    'org-id': {
      kind: 'text',
      placeholder: 'ID',
      required: true,
      format: providerId,
      summary: 'Id at the Git provider',
    },
    ...rootChoiceOptions,
    instance: {
      kind: 'text',
      placeholder: 'ID',
      format: idFormat('the id of an instance, from instance list'),
      summary: 'Id of its self-hosted instance in the workspace, from instance list',
    },
    provider: {
      kind: 'choice',
      choices: ['github', 'gitlab', 'bitbucket', 'azure'],
      summary: 'Git provider (default: the instance’s, or github)',
    },
    host: {
      kind: 'text',
      placeholder: 'HOST',
      summary: 'Host of the Git provider (default: the instance’s, or the provider’s cloud)',
    },
  },
  example: "--root 'Meridian Freight' --name 'Meridian Platform' --org-id 41207731",
  async run(admin, values) {
    const { name, instance, provider, host, 'org-id': orgId } = values
    const organization = {
      name,
      providerOrganizationId: orgId as ProviderOrganizationId,
      ...(provider && { provider }),
      ...(host && { host }),
      ...(instance && { instance: instance as InstanceId }),
    }
    const { root, result: organizationId } = await changeChosenRoot(admin, values, (change, subscription) =>
      createOrganization(change, { ...organization, subscription }),
    )
    return {
      message: `Created organization ${name}.`,
      fields: { id: organizationId, root, org_id: orgId, name },
    }
  },
})

const list = defineCommand({
  name: 'organization list',
  summary: 'List the organizations of a tenant root, including inactive ones',
  options: { root: rootOption, ...pageOptions },
  example: "--root 'Meridian Freight'",
  async run(admin, values) {
    const page = toPage(values)
    const found = await changeRoot(admin, values.root, ({ scope, tx }) =>
      listAllOrganizations(scope, tx, page),
    )
    const rows = found.map((row) => ({ ...row }))
    return {
      rows,
      emptyMessage: 'This tenant root has no organizations.',
      more: renderNextPageHint(rows, page.limit),
    }
  },
})

const rename = defineCommand({
  name: 'organization rename',
  summary: 'Rename an organization',
  options: {
    root: rootOption,
    organization: organizationOption,
    name: { kind: 'text', placeholder: 'NAME', required: true, summary: 'New name' },
  },
  example: "--root 'Meridian Freight' --organization 41207731 --name 'Meridian Core'",
  run(admin, { root, organization, name }) {
    return changeRoot(admin, root, async (change) => {
      const found = await findOrganizationByText(change.scope, change.tx, organization)
      await renameOrganization(change, found.id, name)
      return briefOutput(`Renamed ${found.name} to ${name}.`, { id: found.id, name })
    })
  },
})

const activate = defineCommand({
  name: 'organization activate',
  summary: 'Activate an inactive organization',
  options: { root: rootOption, organization: organizationOption },
  example: "--root 'Meridian Freight' --organization 9000009",
  run(admin, { root, organization }) {
    return changeRoot(admin, root, async (change) => {
      const { id, name } = await findOrganizationByText(change.scope, change.tx, organization)
      const changed = await activateOrganization(change, id)
      return briefOutput(changed ? `Activated ${name}.` : `${name} is already active.`, { id, changed })
    })
  },
})

const deactivate = defineCommand({
  name: 'organization deactivate',
  summary: 'Deactivate an organization: keys can no longer access it',
  options: { root: rootOption, organization: organizationOption, 'dry-run': dryRunOption },
  example: "--root 'Meridian Freight' --organization 41207915 --dry-run",
  run(admin, { root, organization, 'dry-run': dryRun }) {
    const work = async (change: ChangeContext) => {
      const { id, name } = await findOrganizationByText(change.scope, change.tx, organization)
      const changed = await deactivateOrganization(change, id)
      const message = dryRun
        ? `Would deactivate ${name}: keys could no longer access it.`
        : `Deactivated ${name}.`
      return briefOutput(changed ? message : `${name} is already inactive.`, { id, changed, dry_run: dryRun })
    }
    return changeRoot(admin, root, work, { dryRun })
  },
})

const metrics = defineCommand({
  name: 'organization metrics',
  summary: 'Turn the metrics of an organization on or off',
  options: {
    root: rootOption,
    organization: organizationOption,
    switch: {
      kind: 'choice',
      choices: ['on', 'off'],
      required: true,
      summary: 'With off, metrics requests return 403',
    },
    'dry-run': dryRunOption,
  },
  example: "--root 'Meridian Freight' --organization 41207731 --switch off --dry-run",
  run(admin, { root, organization, switch: to, 'dry-run': dryRun }) {
    const work = async (change: ChangeContext) => {
      const { id, name } = await findOrganizationByText(change.scope, change.tx, organization)
      const changed = await setOrganizationMetrics(change, id, to === 'on')
      const message = `Metrics of ${name} ${dryRun ? 'would be' : 'are'} turned ${to}.`
      const fields = { id, metrics_enabled: to === 'on', changed, dry_run: dryRun }
      return briefOutput(changed ? message : `Metrics of ${name} are already ${to}.`, fields)
    }
    return changeRoot(admin, root, work, { dryRun })
  },
})

const addRepositoryCommand = defineCommand({
  name: 'repository add',
  summary: 'Add a repository to an organization',
  options: {
    root: rootOption,
    organization: organizationOption,
    'repository-id': {
      kind: 'text',
      placeholder: 'ID',
      required: true,
      summary: 'Id at the Git provider',
    },
    name: { kind: 'text', placeholder: 'NAME', required: true, summary: 'Name' },
    public: { kind: 'flag', summary: 'The repository is public' },
    inactive: { kind: 'flag', summary: 'The repository is inactive' },
  },
  example: "--root 'Meridian Freight' --organization 41207731 --repository-id 620118499 --name rate-cards",
  run(admin, values) {
    const { root, organization, name, 'repository-id': providerRepositoryId } = values
    return changeRoot(admin, root, async (change) => {
      const found = await findOrganizationByText(change.scope, change.tx, organization)
      const repository = { providerRepositoryId, name, private: !values.public, active: !values.inactive }
      const id = await addRepository(change, found.id, repository)
      const fields = { id, repository_id: providerRepositoryId, name, organization_id: found.id }
      return { message: `Added ${name} to ${found.name}.`, fields }
    })
  },
})

const listRepositories = defineCommand({
  name: 'repository list',
  summary: 'List the repositories of an organization, including inactive ones',
  options: { root: rootOption, organization: organizationOption, ...pageOptions },
  example: "--root 'Meridian Freight' --organization 41207731",
  async run(admin, values) {
    const page = toPage(values)
    const found = await changeRoot(admin, values.root, async ({ scope, tx }) => {
      const { id } = await findOrganizationByText(scope, tx, values.organization)
      return listAllRepositories(scope, tx, id, page)
    })
    const rows = found.map((row) => ({ ...row }))
    return {
      rows,
      emptyMessage: 'This organization has no repositories.',
      more: renderNextPageHint(rows, page.limit),
    }
  },
})

export const organizationCommands: readonly AdminCommand[] = [
  create,
  list,
  rename,
  activate,
  deactivate,
  metrics,
  addRepositoryCommand,
  listRepositories,
]
