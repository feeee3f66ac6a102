import type { EndpointExample } from '../../http/endpoint.ts'

export const reviewContextExample: EndpointExample = {
  body: {
    repository_id: '620118401',
    text: 'Adds a retry around the payment call',
    files: ['src/payments/charge.ts'],
    k: 5,
    record_use: false,
  },
  response: {
    learnings: [
      {
        id: 'b8aecc4d-2080-5888-bf68-0885578e3178',
        learning: 'Calls to the payment provider are retried only with an idempotency key.',
        file: 'src/payments/charge.ts',
        score: 0.8597755939873413,
        match: 'strong',
        reason: 'Mentions `retried`, `payment` and `Calls`; written for src/payments/charge.ts.',
        author_username: 'amara-okafor',
        source: 'api',
        created_at: '2026-11-16T09:26:34.172Z',
        contradicts: [],
      },
    ],
    ranked_by: 'meaning',
  },
}
