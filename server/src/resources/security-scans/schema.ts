import { type Static, Type } from 'typebox'
import { closed } from '../../shape.ts'

const text = (maxLength: number, description: string) =>
  Type.String({ pattern: `^[^\\p{Cc}\\p{Cs}]{1,${maxLength}}$`, maxLength, description })

export const UploadQuery = Type.Object(
  {
    provider: text(50, 'The Git provider of the organization, as `github`.'),
    host: Type.Optional(text(255, 'Host of the Git provider. Default: the cloud of the provider.')),
    org_id: text(200, 'The Git provider’s id of the organization.'),
    repo_id: text(200, 'The Git provider’s id of the repository.'),
    repository_name: Type.Optional(text(255, 'Used while the repository is not known from the inventory.')),
    scan_id: Type.Optional(
      text(200, 'Names the scan: sent again, it counts once. Default: a new one for each file.'),
    ),
    category: Type.Optional(text(200, 'Instead of the category that the runs name.')),
    branch: Type.Optional(text(255, 'Instead of the branch that the runs name.')),
    commit: Type.Optional(text(100, 'Instead of the revision that the runs name.')),
    scanned_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'Default: when the runs ended, else now.' }),
    ),
    complete: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'false: only a part was looked at, so that nothing that is missing counts as fixed.',
      }),
    ),
  },
  closed,
)

export type UploadParams = Static<typeof UploadQuery>

/** For the reference alone: what is read of a file, and how, is in docs/security-scans.md. */
export const SarifFile = Type.Object({
  version: Type.Literal('2.1.0'),
  runs: Type.Array(Type.Object({}), { minItems: 1, maxItems: 100 }),
})

export const UploadReceipt = Type.Object(
  {
    scans: Type.Array(
      Type.Object(
        {
          scan_id: Type.String(),
          tool: Type.String(),
          category: Type.String({ description: 'Empty when there is none.' }),
          findings: Type.Integer({
            minimum: 0,
            description: 'Without what was absent, passed or there twice.',
          }),
        },
        closed,
      ),
    ),
  },
  closed,
)
