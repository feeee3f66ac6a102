import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type DemoRoot, demoRoots } from './cast.ts'
import { organizationIdOf } from './ids.ts'
import { type DemoKeys, demoKeyNames } from './keys.ts'

/** The key values of an earlier seeding; nothing when there was none or the file is not one of ours. */
export async function readKnownKeys(file: string): Promise<Partial<DemoKeys>> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const keys = keysIn(text)
  return Object.fromEntries(
    demoKeyNames.flatMap((name) => {
      const value = keys[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

/** Readable by its owner alone, and never half written. */
export async function writeDemoFile(file: string, baseUrl: string, keys: DemoKeys): Promise<void> {
  const demo = { base_url: baseUrl, keys, organizations: demoRoots.flatMap(describe) }
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(draft, file)
}

function describe({ kind, organizations }: DemoRoot) {
  return organizations
    .filter(({ inactive }) => !inactive)
    .map(({ orgId, name, repositories }) => ({
      id: organizationIdOf(orgId),
      org_id: orgId,
      name,
      root: kind,
      repositories: repositories
        .filter(({ inactive }) => !inactive)
        .map((repository) => ({ repository_id: repository.repositoryId, name: repository.name })),
    }))
}

function keysIn(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) as { keys?: Record<string, unknown> } | null)?.keys ?? {}
  } catch {
    return {}
  }
}
