import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { formatCounted, formatShare } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import styles from './learnings.module.css'

interface SimilarProps {
  readonly text: string
  readonly similar: readonly { readonly id: string; readonly similarity: number }[]
}

/** The API names close Learnings by their ids. A search for the text finds what they say. */
export function Similar({ text, similar }: SimilarProps) {
  const organization = useOrganization()
  const query = useQuery(
    apiQuery(organization, '/v1/learnings', { query: { search: text.slice(0, 1000), limit: 50 } }),
  )
  return (
    <Load query={query} what="similar Learnings">
      {({ data }) => {
        const byId = new Map(data.map((one) => [one.id, one]))
        return (
          <ul className={styles['similar']}>
            {similar.map(({ id, similarity }) => {
              const learning = byId.get(id)
              return (
                <li key={id}>
                  <span className={styles['similarity']}>{formatShare(similarity)} alike</span>
                  {learning === undefined ? (
                    <code>{id}</code>
                  ) : (
                    <>
                      {learning.learning}{' '}
                      <span className={styles['meta']}>
                        {learning.repository_name ?? learning.repository_id} ·{' '}
                        {formatCounted(learning.usage_count, 'use')}
                      </span>
                    </>
                  )}
                </li>
              )
            })}
          </ul>
        )
      }}
    </Load>
  )
}
