import { readTerm } from '../thesaurus/groups.ts'
import { craft } from './craft.ts'
import { flow } from './flow.ts'
import { practice } from './practice.ts'
import { product } from './product.ts'
import { runData } from './run-data.ts'
import { runLanguages } from './run-languages.ts'
import { runSafety } from './run-safety.ts'
import { runServices } from './run-services.ts'
import { safety } from './safety.ts'
import { storage } from './storage.ts'
import { useBusiness } from './use-business.ts'
import { useDelivery } from './use-delivery.ts'
import { useInterfaces } from './use-interfaces.ts'
import { useScreens } from './use-screens.ts'

/** The terms of one subject, and the parts of its phrases, which are weaker signs of it. */
export interface Topic {
  readonly terms: readonly string[]
  readonly parts: readonly string[]
}

export function readTopics(): Topic[] {
  return [
    safety,
    storage,
    flow,
    craft,
    product,
    practice,
    useInterfaces,
    useScreens,
    useDelivery,
    useBusiness,
    runData,
    runServices,
    runSafety,
    runLanguages,
  ].flatMap((area) => area.trim().split('\n').map(readTopic))
}

function readTopic(line: string): Topic {
  const written = line.trim().split(/\s+/)
  const terms = new Set(written.flatMap(readTerm))
  const parts = new Set(
    written.flatMap((term) => (term.includes('_') ? term.split('_').flatMap(readTerm) : [])),
  )
  return { terms: [...terms], parts: [...parts].filter((part) => !terms.has(part)) }
}
