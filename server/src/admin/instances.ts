import type { ChangeContext } from '../access/change-context.ts'
import type { InstanceId } from '../ids.ts'
import { createInstance, listInstances, setSendsMetrics } from '../resources/instances/manage.ts'

import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  dryRunOption,
  idFormat,
  rootOption,
} from './command.ts'
import { changeRoot } from './context.ts'
import { changeChosenRoot, rootChoiceOptions } from './root-choice.ts'

const create = defineCommand({
  name: 'instance create',
  summary: 'Create a self-hosted instance, in a workspace or as its own tenant root',
  options: {
    name: { kind: 'text', placeholder: 'NAME', required: true, summary: 'Name of the instance' },
    provider: {
      kind: 'choice',
      choices: ['github', 'gitlab', 'bitbucket', 'azure'],
      required: true,
      summary: 'Git provider',
    },
    host: { kind: 'text', placeholder: 'HOST', required: true, summary: 'Host name of the Git server' },
    'sends-metrics': { kind: 'flag', summary: 'The instance is configured to send metrics' },
    ...rootChoiceOptions,
  },
  example:
    "--name 'Halden Robotics' --provider gitlab --host git.halden.example.com --plan enterprise --seats 25",
  async run(admin, values) {
    const { name, provider, host } = values
    const instance = { name, provider, host, sendsMetrics: values['sends-metrics'] }
    const { root, result: instanceId } = await changeChosenRoot(admin, values, (change, subscription) =>
      createInstance(change, { ...instance, subscription }),
    )
    return { message: `Created instance ${name}.`, fields: { id: instanceId, root, name, provider, host } }
  },
})

const list = defineCommand({
  name: 'instance list',
  summary: 'List the self-hosted instances of a tenant root',
  options: { root: rootOption },
  example: "--root 'Halden Robotics'",
  async run(admin, { root }) {
    const found = await changeRoot(admin, root, ({ scope, tx }) => listInstances(scope, tx))
    const rows = found.map(({ id, name, provider, host, sends_metrics }) => ({
      id,
      name,
      provider,
      host,
      sends_metrics,
    }))
    return { rows, emptyMessage: 'This tenant root has no self-hosted instances.' }
  },
})

const metrics = defineCommand({
  name: 'instance metrics',
  summary: 'Turn the metrics of a self-hosted instance on or off',
  options: {
    root: rootOption,
    instance: {
      kind: 'text',
      placeholder: 'ID',
      required: true,
      format: idFormat('the id of an instance, from instance list'),
      summary: 'Id of the instance, from instance list',
    },
    sends: {
      kind: 'choice',
      choices: ['on', 'off'],
      required: true,
      summary: 'With off, metrics requests return 403',
    },
    'dry-run': dryRunOption,
  },
  example: "--root 'Halden Robotics' --instance 0190d3a0-0000-7000-8000-000000000001 --sends on",
  run(admin, { root, instance, sends, 'dry-run': dryRun }) {
    const work = async (change: ChangeContext) => {
      const changed = await setSendsMetrics(change, instance as InstanceId, sends === 'on')
      const message = `Metrics of the instance ${dryRun ? 'would be' : 'are'} turned ${sends}.`
      const fields = { id: instance, sends_metrics: sends === 'on', changed, dry_run: dryRun }
      return briefOutput(changed ? message : `Metrics of the instance are already ${sends}.`, fields)
    }
    return changeRoot(admin, root, work, { dryRun })
  },
})

export const instanceCommands: readonly AdminCommand[] = [create, list, metrics]
