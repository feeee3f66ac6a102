import { pluralize } from '../plural.ts'
import { defineCommand, IncompleteError, type Output, option } from './command.ts'
import { writeBundle } from './doctor/bundle.ts'
import { checkBus } from './doctor/bus.ts'
import { checkDatabases } from './doctor/database.ts'
import { checkService } from './doctor/service.ts'

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check engines, schema, isolation, keys, backup and model, and say what to do',
  environment: ['those of the API and of the worker'],
  options: {
    bundle: option.text('FILE', 'Also write a file for a bug report, without secrets and names', {
      maxLength: 4096,
    }),
  },
  example: '--bundle doctor.json',
  async run(admin, { bundle }) {
    const { env } = admin
    const [ofBus, { findings: ofDatabases, main }] = await Promise.all([checkBus(admin), checkDatabases(env)])
    try {
      const findings = [...ofDatabases, ...ofBus, ...(await checkService(env, main))]
      if (bundle !== undefined) {
        await writeBundle(bundle, findings, env, main)
        admin.reportProgress(`Wrote ${bundle}.`)
      }
      const rows = findings.map((finding) => ({ ...finding, to_do: finding.to_do ?? 'OK' }))
      const output: Output = { rows, emptyMessage: '' }
      const problems = findings.filter(({ to_do }) => to_do !== null).length
      if (problems === 0) return output
      throw new IncompleteError(`${problems} of ${pluralize(rows.length, 'check')} failed.`, output)
    } finally {
      await main?.end()
    }
  },
})
