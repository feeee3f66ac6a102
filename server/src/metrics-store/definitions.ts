/** The ids of what is computed, as docs/metrics.md defines it. A definition that changes gets another id. */
export const definitions = {
  acceptance: 'acceptance.v1',
} as const
