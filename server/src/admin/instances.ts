import { createInstance } from '../resources/instances/create.ts'
import { listInstances } from '../resources/instances/list.ts'
import { changeRoot } from './house.ts'
import { type Command, command, rootOption } from './line/command.ts'
import { changePlace, placeOptions } from './place.ts'

const create = command({
  name: 'instance create',
  summary: 'Create a self-hosted instance: in a workspace, or a root of its own',
  options: {
    name: { kind: 'text', takes: 'NAME', required: true, summary: 'Its name' },
    provider: {
      kind: 'choice',
      of: ['github', 'gitlab', 'bitbucket', 'azure'],
      required: true,
      summary: 'Its Git provider',
    },
    host: { kind: 'text', takes: 'HOST', required: true, summary: 'Host name of the Git server' },
    'sends-metrics': { kind: 'flag', summary: 'It is configured to send metrics' },
    ...placeOptions,
  },
  example:
    "--name 'Halden Robotics' --provider gitlab --host git.halden.example.com --plan enterprise --seats 25",
  async run(house, values) {
    const { name, provider, host } = values
    const instance = { name, provider, host, sendsMetrics: values['sends-metrics'] }
    const { root, made } = await changePlace(house, values, (change, subscription) =>
      createInstance(change, { ...instance, subscription }),
    )
    return { said: `Created instance ${name}.`, facts: { id: made, root, name, provider, host } }
  },
})

const list = command({
  name: 'instance list',
  summary: 'List the self-hosted instances of a tenant root',
  options: { root: rootOption },
  example: "--root 'Halden Robotics'",
  async run(house, { root }) {
    const found = await changeRoot(house, root, ({ scope, tx }) => listInstances(scope, tx))
    const rows = found.map(({ id, name, provider, host, sends_metrics }) => ({
      id,
      name,
      provider,
      host,
      sends_metrics,
    }))
    return { rows, none: 'This tenant root has no self-hosted instance.' }
  },
})

export const instanceCommands: readonly Command[] = [create, list]
