import { defineEndpoint } from '../../http/endpoint.ts'
import { agentKeys, type Tool } from '../../http/mcp/tool.ts'
import { NoPath, NoQuery } from '../../shape.ts'
import {
  handleProposeLearning,
  ProposeBody,
  ProposeResult,
  prepareProposal,
  refuseInvalidProposal,
} from './events/propose-tool.ts'
import type { LearningState } from './lifecycle.ts'

/** Offered as a tool of /mcp alone. */
const proposeLearning = defineEndpoint({
  method: 'POST',
  path: '/mcp/propose_learning',
  operationId: 'proposeLearning',
  summary: 'Propose a Learning',
  description:
    'Proposes guidance for future reviews of a repository. It waits until an Admin approves it and is used by no review ' +
    'before that. A text that is known already is not changed; the reply tells its state.',
  tag: 'Learnings',
  keys: agentKeys,
  organization: 'required',
  plan: 'enterprise',
  permission: 'learning:write',
  admin: false,
  limit: 'review-context',
  serializePerRoot: true,
  errorBody: 'errors',
  params: NoPath,
  query: NoQuery,
  body: ProposeBody,
  refine: refuseInvalidProposal,
  prepare: prepareProposal,
  paging: null,
  replies: { 200: { description: 'What became of it.', body: ProposeResult } },
  refusals: ['NOT_FOUND'],
  run: handleProposeLearning,
})

export const proposeLearningTool: Tool = {
  name: 'propose_learning',
  title: 'Propose a Learning',
  description:
    'Proposes what future reviews and agents should know about this repository: one rule in one to three sentences, ' +
    'with its reason, and without credentials or names of people. It waits until a person approves it, and guides ' +
    'nobody before that. Search first: what is known already need not be proposed.',
  endpoint: proposeLearning,
  renderText: (result) => renderProposal(result as { id: string; state: LearningState }),
}

function renderProposal({ id, state }: { readonly id: string; readonly state: LearningState }): string {
  switch (state) {
    case 'pending':
      return `Proposed as ${id}. It waits until a person approves it: do not rely on it before.`
    case 'shared':
      return `The team has agreed on this already: ${id}. Nothing was changed.`
    case 'private':
      return `An open pull request has said this already: ${id}. Nothing was changed.`
    case 'disapproved':
      return `A person has turned this down before: ${id}. Do not propose it again.`
  }
}
