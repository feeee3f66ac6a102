/** With the largest unit that keeps it readable: 45 min, 3.5 h, 2.1 d. */
export function formatMinutes(minutes: number | null): string | null {
  if (minutes === null) return null
  if (minutes < 60) return `${Math.round(minutes)} min`
  return minutes < 48 * 60 ? `${(minutes / 60).toFixed(1)} h` : `${(minutes / 1440).toFixed(1)} d`
}

/** An amount of money without its currency: 1,373.68. */
export function formatAmount(amount: number | null): string | null {
  return amount === null
    ? null
    : amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}

export function formatRate(rate: number | null): string | null {
  return rate === null ? null : `${(100 * rate).toFixed(1)} %`
}
