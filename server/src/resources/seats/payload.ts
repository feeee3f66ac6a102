import { type Static, Type } from 'typebox'
import { getCloudHost } from '../../access/provider-host.ts'
import type { IngestEvent } from '../../bus/ingest-event.ts'

const singleLineText = (maxLength: number, description: string) =>
  Type.String({ pattern: `^[^\\p{Cc}\\p{Cs}]{1,${maxLength}}$`, maxLength, description })

export const TaggedPayload = Type.Object({
  organization: Type.Object({
    provider: singleLineText(50, 'Kind of Git provider, for example github or gitlab.'),
    host: Type.Optional(
      singleLineText(255, 'Host of the Git provider. Default: the cloud host of the provider.'),
    ),
    id: singleLineText(200, 'ID of the organization, assigned by the Git provider.'),
  }),
  author: Type.Object({
    id: singleLineText(200, 'ID of the account that tagged the reviewer, assigned by the Git provider.'),
  }),
})

interface NormalizedTag {
  readonly organization: { readonly provider: string; readonly host: string; readonly id: string }
  readonly author: { readonly id: string }
}
export type TagEvent = IngestEvent<NormalizedTag>

export function normalizeTag({ organization, author }: Static<typeof TaggedPayload>): NormalizedTag {
  const { provider, host = getCloudHost(provider), id } = organization
  return { organization: { provider, host, id }, author: { id: author.id } }
}
