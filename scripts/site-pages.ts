// The pages of the documentation site that are generated when it is built: endpoints, commands and terminal recordings.
import { readFileSync } from 'node:fs'
import { renderCommandReference } from './command-reference.ts'
import { code, table } from './markdown-table.ts'

interface SitePage {
  readonly name: string
  readonly text: string
}

interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly operationId: string
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const endpointsHeading = `# Endpoints

Every endpoint of the API. Each links to the [API reference](/docs/api), with parameters, fields, error codes and an example.`

const recordingsHeading = `# Terminal recordings

What the main commands of the [command line](cli.md) print with the keys of the demo tenants. Ids, times and counts that differ on
your machine are replaced.`

export async function generateSitePages(): Promise<SitePage[]> {
  const openApi = JSON.parse(readRepositoryFile('openapi.json')) as OpenApiDocument
  const recordings = readRepositoryFile('cli/test/terminal.txt')
  return [
    { name: 'endpoints', text: `${endpointsHeading}\n\n${listEndpoints(openApi)}\n` },
    { name: 'commands', text: await renderCommandReference() },
    { name: 'terminal', text: `${recordingsHeading}\n\n${recordings}` },
  ]
}

/** A table for each group of the reference. */
function listEndpoints({ paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { tags, summary, operationId }]) => ({
      tag: tags[0] ?? 'Other',
      cells: [`[${code(`${method.toUpperCase()} ${path}`)}](/docs/api#${operationId})`, summary],
    })),
  )
  return [...Map.groupBy(operations, ({ tag }) => tag)]
    .map(([tag, listed]) => {
      const rows = listed.map(({ cells }) => cells)
      return `## ${tag}\n\n${table(['Endpoint', 'Purpose'], rows)}`
    })
    .join('\n\n')
}

function readRepositoryFile(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
}
