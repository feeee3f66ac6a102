import type { ChangeContext } from '../access/change-context.ts'
import type { InstanceId } from '../ids.ts'
import { createInstance, setSendsMetrics } from '../resources/instances/manage.ts'
import { readInstances } from '../resources/instances/sql.ts'

import { type AdminCommand, briefOutput, defineCommand, idFormat, option } from './command.ts'
import { changeRoot } from './context.ts'
import { changeChosenRoot, rootChoiceOptions } from './root-choice.ts'

const create = defineCommand({
  name: 'instance create',
  summary: 'Create a self-hosted instance, in a workspace or as its own tenant root',
  options: {
    name: option.text('NAME', 'Name of the instance', { required: true }),
    provider: option.choice(['github', 'gitlab', 'bitbucket', 'azure'], 'Git provider', { required: true }),
    host: option.text('HOST', 'Host name of the Git server', { required: true }),
    'sends-metrics': option.flag('The instance is configured to send metrics'),
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
  options: { root: option.root },
  example: "--root 'Halden Robotics'",
  async run(admin, { root }) {
    const found = await changeRoot(admin, root, ({ scope, tx }) => readInstances(scope, tx))
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
    root: option.root,
    instance: option.text('ID', 'Id of the instance, from instance list', {
      required: true,
      format: idFormat('the id of an instance, from instance list'),
    }),
    sends: option.choice(['on', 'off'], 'With off, metrics requests return 403', { required: true }),
    'dry-run': option.dryRun,
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
