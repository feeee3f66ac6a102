const Z = 1.959964

/** The 95 % interval of a share by Wilson's formula. */
function getWilsonInterval(hits: number, all: number): { readonly low: number; readonly high: number } {
  if (all === 0) return { low: 0, high: 1 }
  const share = hits / all
  const scale = 1 + Z ** 2 / all
  const middle = (share + Z ** 2 / (2 * all)) / scale
  const half = (Z * Math.sqrt((share * (1 - share)) / all + Z ** 2 / (4 * all ** 2))) / scale
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** `0.964 (0.88 to 0.99, 53 of 55)`. */
export function renderShare(hits: number, all: number): string {
  const { low, high } = getWilsonInterval(hits, all)
  return `${(hits / Math.max(1, all)).toFixed(3)} (${low.toFixed(2)} to ${high.toFixed(2)}, ${hits} of ${all})`
}
