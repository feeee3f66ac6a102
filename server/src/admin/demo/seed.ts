import type { KeyRing } from '../../config.ts'
import type { Operator } from '../operator.ts'
import { readKnownKeys, writeDemoFile } from './file.ts'
import { type History, seedHistory } from './history/seed.ts'
import { demoKeyNames, seedKeys } from './keys.ts'
import { seedLearnings } from './learnings/seed.ts'
import { seedScans } from './scans/seed.ts'
import { seedTenants } from './tenants.ts'
import { seedUsage } from './usage/seed.ts'

export interface Seeding {
  readonly tenants_made: number
  readonly pull_requests_written: number
  readonly mcp_usage_written: number
  readonly learnings_written: number
  readonly security_scans_written: number
  readonly keys_minted: number
  readonly keys_kept: number
}

export interface SeedOptions extends History {
  readonly ring: KeyRing
  readonly file: string
  readonly baseUrl: string
}

/** Brings the demo to its full state and writes the file that tells of it. Run again, it keeps what is there. */
export async function seedDemo(operator: Operator, options: SeedOptions): Promise<Seeding> {
  const { ring, file, baseUrl } = options
  const tenants = await seedTenants(operator)
  const pullRequests = await seedHistory(operator, options)
  const usage = await seedUsage(operator, options.stores)
  const learnings = await seedLearnings(operator)
  const scans = await seedScans(operator)
  const { keys, minted } = await seedKeys(operator, ring, await readKnownKeys(file))
  await writeDemoFile(file, baseUrl, keys)
  return {
    tenants_made: tenants,
    pull_requests_written: pullRequests,
    mcp_usage_written: usage,
    learnings_written: learnings,
    security_scans_written: scans,
    keys_minted: minted,
    keys_kept: demoKeyNames.length - minted,
  }
}
