import type { InstanceId, ProviderOrganizationId } from '../ids.ts'
import {
  activateOrganization,
  addRepository,
  createOrganization,
  deactivateOrganization,
  renameOrganization,
  setOrganizationMetrics,
} from '../resources/organizations/manage.ts'
import { readAllOrganizations, readAllRepositories } from '../resources/organizations/sql.ts'
import { type AdminCommand, briefOutput, defineCommand, idFormat, listPage, option } from './command.ts'
import { changeOrganization, changeRoot } from './context.ts'
import { changeChosenRoot, rootChoiceOptions } from './root-choice.ts'

const providerId = {
  pattern: /^[^\s:,]+$/,
  description: 'an id from the Git provider, without spaces, colons or commas',
}

const create = defineCommand({
  name: 'organization create',
  summary: 'Create an organization, in a workspace or instance or as its own tenant root',
  options: {
    name: option.text('NAME', 'Name', { required: true }),
    'org-id': option.text('ID', 'Id at the Git provider', { required: true, format: providerId }),
    ...rootChoiceOptions,
    instance: option.text('ID', 'Id of its self-hosted instance in the workspace, from instance list', {
      format: idFormat('the id of an instance, from instance list'),
    }),
    provider: option.choice(
      ['github', 'gitlab', 'bitbucket', 'azure'],
      'Git provider (default: the instance’s, or github)',
    ),
    host: option.text('HOST', 'Host of the Git provider (default: the instance’s, or the provider’s cloud)'),
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
  options: { root: option.root, ...option.page },
  example: "--root 'Meridian Freight'",
  run: (admin, values) =>
    listPage(values, 'This tenant root has no organizations.', (page) =>
      changeRoot(admin, values.root, ({ scope, tx }) => readAllOrganizations(scope, tx, page)),
    ),
})

const rename = defineCommand({
  name: 'organization rename',
  summary: 'Rename an organization',
  options: {
    root: option.root,
    organization: option.organization,
    name: option.text('NAME', 'New name', { required: true }),
  },
  example: "--root 'Meridian Freight' --organization 41207731 --name 'Meridian Core'",
  run: (admin, values) =>
    changeOrganization(admin, values, async (change, { id, name: was }) => {
      await renameOrganization(change, id, values.name)
      return briefOutput(`Renamed ${was} to ${values.name}.`, { id, name: values.name })
    }),
})

const activate = defineCommand({
  name: 'organization activate',
  summary: 'Activate an inactive organization',
  options: { root: option.root, organization: option.organization },
  example: "--root 'Meridian Freight' --organization 9000009",
  run: (admin, values) =>
    changeOrganization(admin, values, async (change, { id, name }) => {
      const changed = await activateOrganization(change, id)
      return briefOutput(changed ? `Activated ${name}.` : `${name} is already active.`, { id, changed })
    }),
})

const deactivate = defineCommand({
  name: 'organization deactivate',
  summary: 'Deactivate an organization: keys can no longer access it',
  options: { root: option.root, organization: option.organization, 'dry-run': option.dryRun },
  example: "--root 'Meridian Freight' --organization 41207915 --dry-run",
  run: (admin, values) =>
    changeOrganization(admin, values, async (change, { id, name }) => {
      const dryRun = values['dry-run']
      const changed = await deactivateOrganization(change, id)
      const message = dryRun
        ? `Would deactivate ${name}: keys could no longer access it.`
        : `Deactivated ${name}.`
      return briefOutput(changed ? message : `${name} is already inactive.`, { id, changed, dry_run: dryRun })
    }),
})

const metrics = defineCommand({
  name: 'organization metrics',
  summary: 'Turn the metrics of an organization on or off',
  options: {
    root: option.root,
    organization: option.organization,
    switch: option.choice(['on', 'off'], 'With off, metrics requests return 403', { required: true }),
    'dry-run': option.dryRun,
  },
  example: "--root 'Meridian Freight' --organization 41207731 --switch off --dry-run",
  run: (admin, values) =>
    changeOrganization(admin, values, async (change, { id, name }) => {
      const { switch: to, 'dry-run': dryRun } = values
      const changed = await setOrganizationMetrics(change, id, to === 'on')
      const message = `Metrics of ${name} ${dryRun ? 'would be' : 'are'} turned ${to}.`
      const fields = { id, metrics_enabled: to === 'on', changed, dry_run: dryRun }
      return briefOutput(changed ? message : `Metrics of ${name} are already ${to}.`, fields)
    }),
})

const addRepositoryCommand = defineCommand({
  name: 'repository add',
  summary: 'Add a repository to an organization',
  options: {
    root: option.root,
    organization: option.organization,
    'repository-id': option.text('ID', 'Id at the Git provider', { required: true }),
    name: option.text('NAME', 'Name', { required: true }),
    public: option.flag('The repository is public'),
    inactive: option.flag('The repository is inactive'),
  },
  example: "--root 'Meridian Freight' --organization 41207731 --repository-id 620118499 --name rate-cards",
  run: (admin, values) =>
    changeOrganization(admin, values, async (change, organization) => {
      const { name, 'repository-id': providerRepositoryId } = values
      const repository = { providerRepositoryId, name, private: !values.public, active: !values.inactive }
      const id = await addRepository(change, organization.id, repository)
      const fields = { id, repository_id: providerRepositoryId, name, organization_id: organization.id }
      return { message: `Added ${name} to ${organization.name}.`, fields }
    }),
})

const listRepositories = defineCommand({
  name: 'repository list',
  summary: 'List the repositories of an organization, including inactive ones',
  options: { root: option.root, organization: option.organization, ...option.page },
  example: "--root 'Meridian Freight' --organization 41207731",
  run: (admin, values) =>
    listPage(values, 'This organization has no repositories.', (page) =>
      changeOrganization(admin, values, ({ scope, tx }, { id }) => readAllRepositories(scope, tx, id, page)),
    ),
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
