import { readSettings } from '../config.ts'
import { createEmbedders } from '../text/embed/create.ts'
import type { Embedder } from '../text/embed/embedder.ts'
import { createLocalEmbedder } from '../text/embed/local.ts'
import { option, UsageError } from './command.ts'
import type { AdminContext } from './context.ts'

export const embedderSettings = [
  'EMBEDDER_URL',
  'EMBEDDER_MODEL',
  'EMBEDDER_DIMENSIONS',
  'EMBEDDER_SEND_DIMENSIONS',
  'EMBEDDER_API_KEY',
  'EMBEDDER_TIMEOUT_MS',
]

const choices = ['configured', 'local'] as const

export const embedderOption = option.choice(
  choices,
  'Model: from EMBEDDER_* (configured, the default), or built in (local)',
)

export function chooseEmbedder(
  admin: AdminContext,
  choice: (typeof choices)[number] = 'configured',
): Embedder {
  const local = createLocalEmbedder()
  const { configured } = createEmbedders(
    readSettings(admin.env, (read) => read.embedder()),
    local,
  )
  const chosen = choice === 'local' ? local : configured[0]
  if (!chosen)
    throw new UsageError(
      'server/model lacks the files of the local model. Run npm run build, or set EMBEDDER_URL.',
    )
  return chosen
}
