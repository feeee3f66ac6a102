import { codeTopics } from './clean/code.ts'
import { digestTopics } from './clean/digests.ts'
import { figureTopics } from './clean/figures.ts'
import { identifierTopics } from './clean/identifiers.ts'
import { plainTopics } from './clean/plain.ts'
import { securityTopics } from './clean/security.ts'
import { makeTalk, type Topic } from './clean/talk.ts'
import { webTopics } from './clean/web.ts'
import { makeRandom } from './random.ts'

const ROUNDS = 20

const cleanTopics: readonly Topic[] = [
  ...plainTopics,
  ...digestTopics,
  ...identifierTopics,
  ...webTopics,
  ...figureTopics,
  ...securityTopics,
  ...codeTopics,
]

/** Distinct lines of guidance without a credential, full of what looks like one. */
export const cleanLines: readonly string[] = [...new Set(cleanTopics.flatMap(linesOf))]

function linesOf({ name, lines }: Topic): string[] {
  return lines.flatMap((say, place) =>
    Array.from({ length: ROUNDS }, (_, round) => say(makeTalk(makeRandom(`${name}/${place}/${round}`)))),
  )
}
