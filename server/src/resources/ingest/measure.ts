const MAX_DEPTH = 64

export interface EventMeasurement {
  /** In compact JSON: exact where it could be more than was asked about, else an upper bound. */
  readonly bytes: number
  /** Why the value can never be stored. */
  readonly fault: string | null
}

/** One walk over a parsed value. What nobody keeps is looked at too: it is refused by the same rules everywhere. */
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

// Written out, a character takes six bytes at most, a number 25, and null, true or false five; each with a comma.
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
