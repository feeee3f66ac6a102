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

/** Available only as an MCP tool. */
const proposeLearning = defineEndpoint({
  method: 'POST',
  path: '/mcp/propose_learning',
  operationId: 'proposeLearning',
  summary: 'Propose a Learning',
  description:
    'Proposes guidance for future reviews of a repository. The proposal is pending until an Admin approves it; reviews do ' +
    'not use it before. If a Learning with the same text exists, it is not changed and its state is returned.',
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
  replies: { 200: { description: 'The id and state of the Learning.', body: ProposeResult } },
  refusals: ['NOT_FOUND'],
  run: handleProposeLearning,
})

export const proposeLearningTool: Tool = {
  name: 'propose_learning',
  title: 'Propose a Learning',
  description:
    'Proposes a rule that future reviews and agents should follow in this repository: one rule in one to three sentences, ' +
    'with its reason, without credentials or names of people. The proposal is not used until a person approves it. ' +
    'Search first: do not propose a rule that already exists.',
  endpoint: proposeLearning,
  renderText: (result) => renderProposal(result as { id: string; state: LearningState }),
}

function renderProposal({ id, state }: { readonly id: string; readonly state: LearningState }): string {
  switch (state) {
    case 'pending':
      return `Proposed as ${id}. It is pending until a person approves it: do not rely on it before.`
    case 'shared':
      return `The team already shares this Learning: ${id}. Nothing was changed.`
    case 'private':
      return `An open pull request already proposes this Learning: ${id}. Nothing was changed.`
    case 'disapproved':
      return `An Admin disapproved this Learning: ${id}. Do not propose it again.`
  }
}
