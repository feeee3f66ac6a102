import { createClient } from '@scholiast/sdk'
import { demo, findOrgId, url } from './open.ts'

const client = createClient({ baseUrl: url, apiKey: demo.keys['workspace'] ?? '' })

interface Prices {
  /** Name of an organization of the demo. Test files run at the same time, so each takes another one. */
  readonly organization: string
  readonly currency: string | null
  /** Per month, by reviewer. */
  readonly prices: Readonly<Record<string, number>>
}

/** Sets the prices of reviewers for the time of some work. */
export async function withPrices(
  { organization, currency, prices }: Prices,
  work: () => Promise<void>,
): Promise<void> {
  const org_id = findOrgId(organization)
  const change = (code: string | null, toPrice: (price: number) => { price_per_month: number } | null) =>
    client.patch('/v1/settings', {
      body: {
        org_id,
        settings: {
          currency: code,
          reviewers: Object.fromEntries(
            Object.entries(prices).map(([reviewer, price]) => [reviewer, toPrice(price)]),
          ),
        },
      },
    })
  await change(currency, (price_per_month) => ({ price_per_month }))
  try {
    await work()
  } finally {
    await change(null, () => null)
  }
}
