import { type Command, command } from '../line/command.ts'
import { seedDemo } from './seed.ts'

const httpAddress = {
  pattern: /^https?:\/\/[^\s/]+$/,
  says: 'an address such as http://127.0.0.1:8420, without a path',
}

const seed = command({
  name: 'demo seed',
  summary: 'Make what is missing of the demo tenants, and tell of them in a file',
  environment: ['WORKER_DATABASE_URL', 'METRICS_STORES', 'INGEST_KEYS'],
  options: {
    out: {
      kind: 'text',
      takes: 'FILE',
      required: true,
      longest: 1000,
      summary: 'Where to write keys and organizations',
    },
    'base-url': {
      kind: 'text',
      takes: 'URL',
      required: true,
      shape: httpAddress,
      summary: 'Where the service listens',
    },
  },
  example: '--out .dev/demo.json --base-url http://127.0.0.1:8420',
  async run(house, { out, 'base-url': baseUrl }) {
    const ring = house.ingestRing()
    const history = { stores: house.stores(), days: 365, say: house.say }
    const seeding = await seedDemo(await house.operator(), { ring, file: out, baseUrl, ...history })
    return { said: `The demo is ready; its keys are in ${out}.`, facts: { ...seeding } }
  },
})

export const demoCommands: readonly Command[] = [seed]
