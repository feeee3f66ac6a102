import { type Static, Type } from 'typebox'
import { closedObject } from '../../shape.ts'

const text = (maxLength: number, description: string) =>
  Type.String({ pattern: `^[^\\p{Cc}\\p{Cs}]{1,${maxLength}}$`, maxLength, description })

export const UploadQuery = closedObject({
  provider: text(50, 'Git provider of the organization, for example `github`.'),
  host: Type.Optional(text(255, 'Host of the Git provider. Default: the provider’s cloud host.')),
  org_id: text(200, 'ID of the organization, assigned by the Git provider.'),
  repo_id: text(200, 'ID of the repository, assigned by the Git provider.'),
  repository_name: Type.Optional(
    text(255, 'Name of the repository, used until the inventory has the repository.'),
  ),
  scan_id: Type.Optional(
    text(200, 'ID of the scan. A scan with the same ID counts once. Default: a new ID for each file.'),
  ),
  category: Type.Optional(text(200, 'Replaces the category of the runs.')),
  branch: Type.Optional(text(255, 'Replaces the branch of the runs.')),
  commit: Type.Optional(text(100, 'Replaces the revision of the runs.')),
  scanned_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Time of the scan. Default: the end time of the runs, or the current time.',
    }),
  ),
  complete: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: the scan is partial, so that missing findings are not marked as fixed.',
    }),
  ),
})

export type UploadParams = Static<typeof UploadQuery>

/** Only for the API reference; docs/security-findings.md describes how files are read. */
export const SarifFile = Type.Object({
  version: Type.Literal('2.1.0'),
  runs: Type.Array(Type.Object({}), { minItems: 1, maxItems: 100 }),
})

export const UploadReceipt = closedObject({
  scans: Type.Array(
    closedObject({
      scan_id: Type.String(),
      tool: Type.String(),
      category: Type.String({ description: 'Empty if the runs have no category.' }),
      findings: Type.Integer({
        minimum: 0,
        description: 'Number of findings, without absent results, passed checks and duplicates.',
      }),
    }),
  ),
})
