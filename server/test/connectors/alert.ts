import type { CodeScanningAlert } from '../../src/resources/connectors/git-providers/provider-client.ts'

export function createAlert(number: number, change: Partial<CodeScanningAlert> = {}): CodeScanningAlert {
  return {
    number,
    url: `https://github.com/acme/r700/security/code-scanning/${number}`,
    state: 'open',
    tool: 'CodeQL',
    ruleId: 'js/sql-injection',
    title: 'Database query built from user-controlled sources',
    severity: 'high',
    cwe: 'CWE-89',
    path: 'src/search.ts',
    startLine: 12,
    endLine: 14,
    commit: 'd'.repeat(40),
    ref: 'refs/heads/main',
    createdAt: '2026-10-05T10:00:00Z',
    updatedAt: '2026-10-05T10:00:00Z',
    fixedAt: null,
    dismissedAt: null,
    dismissedReason: null,
    ...change,
  }
}
