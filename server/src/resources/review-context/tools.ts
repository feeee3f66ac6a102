import type { Tool } from '../../http/mcp/tool.ts'
import { explainLearning, reviewContext } from './route.ts'
import type { Explanation, FoundLearning } from './schema.ts'

export const searchLearningsTool: Tool = {
  name: 'search_learnings',
  title: 'Search Learnings',
  description:
    'Finds the rules of the team that apply to what you are about to write or review. Describe the task in `text`, ' +
    'pass the `diff` or list the `files`; more input gives better results. Returns the matching Learnings, best match ' +
    'first, each with the reason. They count as used unless `record_use` is false.',
  endpoint: reviewContext,
  renderText: (result) => renderFoundLearnings((result as { learnings: FoundLearning[] }).learnings),
}

export const explainLearningTool: Tool = {
  name: 'explain_learning',
  title: 'Explain a Learning',
  description:
    'Explains a Learning: who wrote it, where it comes from, for which repository and file, and how often it was used. ' +
    'For a pending or disapproved Learning, only its state is returned.',
  endpoint: explainLearning,
  renderText: (result) => renderExplanation(result as Explanation),
}

function renderFoundLearnings(learnings: readonly FoundLearning[]): string {
  if (learnings.length === 0) return 'No matching Learnings.'
  return learnings
    .map(({ id, learning, file, reason }, index) => {
      const about = file === null ? '' : `\n   File: ${file}`
      return `${index + 1}. ${learning}${about}\n   Why: ${reason}\n   Id: ${id}`
    })
    .join('\n\n')
}

function renderExplanation(explanation: Explanation): string {
  if (explanation.state === 'pending') return 'This Learning is pending approval. Do not rely on it.'
  if (explanation.state === 'disapproved') return 'An Admin disapproved this Learning. Do not follow it.'
  const lines = [
    explanation.learning,
    `Repository: ${explanation.repository_name ?? explanation.repository_id}`,
    explanation.file && `File: ${explanation.file}`,
    `Written: ${explanation.created_at}${explanation.author_username === null ? '' : ` by ${explanation.author_username}`} (${explanation.source})`,
    explanation.source_url && `Source: ${explanation.source_url}`,
    explanation.usage_count === 0
      ? 'Never used.'
      : `Used ${explanation.usage_count} times, last at ${explanation.last_used_at}.`,
  ]
  return lines.filter(Boolean).join('\n')
}
