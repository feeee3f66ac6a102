import type { Nature } from '../cast.ts'

interface DemoServer {
  readonly name: string
  /** In how many of the reviews that use any it is used. */
  readonly share: number
  /** How often each of its tools is called then, on average. */
  readonly tools: Readonly<Record<string, number>>
  /** How many of its calls fail. */
  readonly failing: number
}

const issues: DemoServer = {
  name: 'linear',
  share: 0.6,
  tools: { get_issue: 1.4, search_issues: 0.7, list_comments: 0.4 },
  failing: 0.01,
}
const libraries: DemoServer = {
  name: 'context7',
  share: 0.45,
  tools: { 'resolve-library-id': 1.1, 'get-library-docs': 1.8 },
  failing: 0.04,
}
const incidents: DemoServer = {
  name: 'sentry',
  share: 0.3,
  tools: { find_issues: 0.9, get_issue_details: 1.2, get_trace_details: 0.2 },
  failing: 0.03,
}
const tables: DemoServer = {
  name: 'postgres-readonly',
  share: 0.35,
  tools: { describe_table: 1.6, explain_query: 0.8 },
  failing: 0.07,
}
const drawings: DemoServer = {
  name: 'figma',
  share: 0.4,
  tools: { get_design_context: 0.9, get_screenshot: 0.6, get_variable_defs: 0.5 },
  failing: 0.05,
}
const handbook: DemoServer = {
  name: 'confluence',
  share: 0.4,
  tools: { search_pages: 1.2, get_page: 1.5 },
  failing: 0.02,
}

/** What reviews of such a repository ask. */
export const demoServers: Readonly<Record<Nature, readonly DemoServer[]>> = {
  service: [issues, incidents, tables, libraries],
  interface: [issues, drawings, libraries, incidents],
  firmware: [handbook, issues],
  exchange: [issues, tables, handbook],
  records: [issues, handbook, tables, incidents],
  site: [drawings, libraries],
}
