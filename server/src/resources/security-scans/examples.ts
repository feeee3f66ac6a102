import type { EndpointExample } from '../../http/endpoint.ts'

export const uploadSarifExample: EndpointExample = {
  query: {
    provider: 'github',
    org_id: '41207731',
    repo_id: '620118401',
    category: 'nightly',
  },
  body: {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Lintel',
          },
        },
        results: [
          {
            ruleId: 'path-traversal',
            level: 'error',
            message: {
              text: 'A path is built from a request parameter.',
            },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: {
                    uri: 'src/files/download.ts',
                  },
                  region: {
                    startLine: 12,
                    endLine: 14,
                  },
                },
              },
            ],
          },
        ],
      },
    ],
  },
  response: {
    scans: [
      {
        scan_id: '5b0f3a6e-7f0a-4b51-9d3c-0a5b8a8a2f10',
        tool: 'Lintel',
        category: 'nightly',
        findings: 1,
      },
    ],
  },
}
