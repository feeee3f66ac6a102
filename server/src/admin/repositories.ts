import { addRepository } from '../resources/organizations/add-repository.ts'
import { findOrganizationByText, listAllRepositories } from '../resources/organizations/list-all.ts'
import {
  type AdminCommand,
  defineCommand,
  organizationOption,
  pageOptions,
  renderNextPageHint,
  rootOption,
  toPage,
} from './command.ts'
import { changeRoot } from './context.ts'

const add = defineCommand({
  name: 'repository add',
  summary: 'Add a repository to an organization',
  options: {
    root: rootOption,
    organization: organizationOption,
    'repository-id': {
      kind: 'text',
      placeholder: 'ID',
      required: true,
      summary: 'Its id at the Git provider',
    },
    name: { kind: 'text', placeholder: 'NAME', required: true, summary: 'Its name' },
    public: { kind: 'flag', summary: 'Everybody can read it' },
    inactive: { kind: 'flag', summary: 'Known, but not in use' },
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

const list = defineCommand({
  name: 'repository list',
  summary: 'List the repositories of an organization, the inactive ones too',
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
      emptyMessage: 'This organization has no repository yet.',
      more: renderNextPageHint(rows, page.limit),
    }
  },
})

export const repositoryCommands: readonly AdminCommand[] = [add, list]
