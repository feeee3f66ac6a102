const MAX_DEPTH = 64

export interface EventMeasurement {
  /** Size as compact JSON: an upper bound, and exact if that bound exceeds the limit. */
  readonly bytes: number
  /** Why the value cannot be stored; null if it can. */
  readonly fault: string | null
}

/** Measures and checks a parsed value in one pass, including fields that are not stored. */
export function measureEvent(value: unknown, limitBytes: number): EventMeasurement {
  const state: MeasureState = { bound: 0, fault: null }
  visit(value, 0, state)
  const { bound, fault } = state
  return {
    bytes: bound <= limitBytes || fault !== null ? bound : Buffer.byteLength(JSON.stringify(value)),
    fault,
  }
}

interface MeasureState {
  bound: number
  fault: string | null
}

// Upper bounds in JSON: 6 bytes per character; 25 per number, 5 for null, true and false, plus a comma.
const CHARACTER_BYTES = 6
const SCALAR_BYTES = 26

function visit(value: unknown, depth: number, state: MeasureState): void {
  if (typeof value === 'string') {
    visitText(value, state)
  } else if (value === null || typeof value !== 'object') {
    state.bound += SCALAR_BYTES
  } else if (depth >= MAX_DEPTH) {
    state.fault = `The event is nested deeper than ${MAX_DEPTH} levels.`
  } else if (Array.isArray(value)) {
    state.bound += 3
    for (const item of value) visit(item, depth + 1, state)
  } else {
    state.bound += 3
    for (const name of Object.keys(value)) {
      visitText(name, state)
      visit((value as Record<string, unknown>)[name], depth + 1, state)
    }
  }
}

function visitText(text: string, state: MeasureState): void {
  state.bound += text.length * CHARACTER_BYTES + 3
  if (text.includes('\0') || !text.isWellFormed()) {
    state.fault = 'The event contains a NUL character or half a surrogate pair.'
  }
}
