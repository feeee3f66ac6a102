export function p99(values: readonly number[]): number {
  return quantile(values, 0.99)
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}
