import { readAll } from '../config.ts'
import { bootstrap, type DatabaseRole, databaseRoles } from '../db/bootstrap.ts'
import { connect } from '../db/connect.ts'
import { refuseUnguardedRole } from '../db/guard.ts'
import { migrate } from '../db/migrate.ts'
import { type Command, command, done } from './line/command.ts'

const bootstrapDatabase = command({
  name: 'database bootstrap',
  summary: 'Make the roles and the database as a superuser, once',
  environment: ['BOOTSTRAP_DATABASE_URL', 'OWNER_…', 'DOOR_…', 'API_…', 'WORKER_DATABASE_URL'],
  options: {},
  example: '',
  async run({ env }) {
    const { superuser, urls } = readAll(env, (read) => ({
      superuser: read.text('BOOTSTRAP_DATABASE_URL'),
      urls: {
        owner: read.text('OWNER_DATABASE_URL'),
        door: read.text('DOOR_DATABASE_URL'),
        api: read.text('API_DATABASE_URL'),
        worker: read.text('WORKER_DATABASE_URL'),
      },
    }))
    await bootstrap(superuser, urls)
    return done('The roles and the database are there. Next: database migrate.', {})
  },
})

const migrateDatabase = command({
  name: 'database migrate',
  summary: 'Bring the schema to the present version',
  environment: ['OWNER_DATABASE_URL'],
  options: {},
  example: '',
  async run({ env, say }) {
    let applied = 0
    await migrate(
      readAll(env, (read) => read.text('OWNER_DATABASE_URL')),
      (line) => {
        applied += 1
        say(line)
      },
    )
    return done(applied === 0 ? 'The schema is up to date.' : 'The schema was brought up to date.', {
      applied,
    })
  },
})

const checkDatabase = command({
  name: 'database check',
  summary: 'Check that no service role gets around row-level security',
  environment: ['DOOR_DATABASE_URL', 'API_…', 'WORKER_DATABASE_URL'],
  options: {},
  example: '',
  async run({ env }) {
    const roles = databaseRoles.filter((role): role is Exclude<DatabaseRole, 'owner'> => role !== 'owner')
    const urls = readAll(env, (read) =>
      roles.map((role) => ({ role, url: read.text(`${role.toUpperCase()}_DATABASE_URL`) })),
    )
    for (const { role, url } of urls) {
      const pool = connect({ url, name: `check-${role}`, connections: 1 })
      try {
        await refuseUnguardedRole(pool)
      } finally {
        await pool.end()
      }
    }
    return done('Row-level security holds for every service role.', { roles })
  },
})

export const databaseCommands: readonly Command[] = [bootstrapDatabase, migrateDatabase, checkDatabase]
