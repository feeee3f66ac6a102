import { rootScope } from '../../access/scope.ts'
import { inTransaction } from '../../db/transaction.ts'
import { erasePerson } from '../../resources/people/erase.ts'
import { findPerson } from '../../resources/people/list.ts'
import { findRootUnscoped } from '../../resources/workspaces/find.ts'
import {
  type AdminCommand,
  defineCommand,
  dryRunOption,
  personOption,
  rootOption,
  UsageError,
} from '../command.ts'

const erase = defineCommand({
  name: 'person erase',
  summary: 'Erase the personal data of a person, in every store; without --confirm, count it',
  environment: ['WORKER_DATABASE_URL', 'METRICS_STORES', 'NATS_URL', 'BUS_PREFIX'],
  options: {
    root: rootOption,
    person: personOption,
    confirm: {
      kind: 'text',
      placeholder: 'E-MAIL',
      summary: 'The e-mail, typed once more (the id, if erased before)',
    },
    'dry-run': dryRunOption,
  },
  example: "--root 'Meridian Freight' --person rafael.moreno@example.com --dry-run",
  async run(admin, { root, person, confirm, 'dry-run': dryRun }) {
    const { pool: database, now } = await admin.operator()
    const { id: rootId } = await findRootUnscoped(database, root)
    const scope = rootScope(rootId)
    const { id, email } = await inTransaction(database, scope, (tx) => findPerson(scope, tx, person))
    const name = email ?? id
    if (confirm !== undefined && confirm.toLowerCase() !== name) {
      throw new UsageError(`--confirm must be ${email === null ? 'the id' : 'the e-mail'} of the person.`)
    }
    const countOnly = dryRun || confirm === undefined
    const reportProgress = countOnly ? () => {} : admin.say
    reportProgress(`Erasing the person ${id}. If this is broken off, run the same command again.`)
    const stores = admin.stores()
    const eraser = { database, stores, bus: await admin.bus(), now, dryRun: countOnly, reportProgress }
    const { rows, withoutAdmin } = await erasePerson(eraser, rootId, id)
    const message = countOnly
      ? `Nothing was erased. To erase the person ${id} from all of this: --confirm ${name}`
      : `Erased the person ${id}. What stays are ids.`
    return { message, fields: { id, ...rows, without_admin: withoutAdmin, dry_run: countOnly } }
  },
})

export const erasureCommands: readonly AdminCommand[] = [erase]
