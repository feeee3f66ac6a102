import type { EndpointExample } from '../../http/endpoint.ts'

export const securityFindingsExample: EndpointExample = {
  query: {
    repo_id: '620118401',
    state: 'open',
  },
  response: {
    data: [
      {
        id: '8cce3333-a1e0-5339-8180-0448b33a152a',
        scan_id: 'palisade-booking-api-8',
        organization_id: '41207731',
        organization_name: 'Meridian Platform',
        repository_id: '620118401',
        repository_name: 'booking-api',
        severity: 'high',
        state: 'open',
        cwe: 'CWE-918',
        title: 'A request goes to an address that a caller chose',
        description: 'It reaches what only this service can reach. Allow the hosts that are meant.',
        file_path: 'src/notify/deliver.ts',
        start_line: 52,
        end_line: 52,
        first_seen_at: '2026-09-21T14:26:21.438Z',
        last_seen_at: '2026-11-09T14:26:21.438Z',
      },
    ],
    next_cursor: null,
  },
  files: {
    'text/csv':
      'id,scan_id,organization_id,organization_name,repository_id,repository_name,severity,state,cwe,title,description,file_path,start_line,end_line,first_seen_at,last_seen_at\r\n8cce3333-a1e0-5339-8180-0448b33a152a,palisade-booking-api-8,41207731,Meridian Platform,620118401,booking-api,high,open,CWE-918,A request goes to an address that a caller chose,It reaches what only this service can reach. Allow the hosts that are meant.,src/notify/deliver.ts,52,52,2026-09-21T14:26:21.438Z,2026-11-09T14:26:21.438Z\r\n',
    'application/sarif+json': {
      $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'Palisade',
              rules: [
                {
                  id: 'request-to-given-address',
                  shortDescription: {
                    text: 'A request goes to an address that a caller chose',
                  },
                  defaultConfiguration: {
                    level: 'error',
                  },
                  properties: {
                    tags: ['security', 'external/cwe/cwe-918'],
                    'security-severity': '8.0',
                  },
                },
              ],
            },
          },
          properties: {
            organization_id: '41207731',
            organization_name: 'Meridian Platform',
            repository_id: '620118401',
            repository_name: 'booking-api',
          },
          results: [
            {
              ruleId: 'request-to-given-address',
              ruleIndex: 0,
              level: 'error',
              message: {
                text: 'It reaches what only this service can reach. Allow the hosts that are meant.',
              },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: {
                      uri: 'src/notify/deliver.ts',
                      uriBaseId: '%SRCROOT%',
                    },
                    region: {
                      startLine: 52,
                      endLine: 52,
                    },
                  },
                },
              ],
              partialFingerprints: {
                'scholiastFinding/v1': 'CAA8Sy5LdHo9ek7z7auwu3:1',
              },
              correlationGuid: '8cce3333-a1e0-5339-8180-0448b33a152a',
              suppressions: [],
              provenance: {
                firstDetectionTimeUtc: '2026-09-21T14:26:21.438Z',
              },
              properties: {
                severity: 'high',
                cwe: 'CWE-918',
              },
            },
          ],
        },
      ],
    },
  },
}

export const securitySummaryExample: EndpointExample = {
  query: { group_by: ['severity', 'age'] },
  response: {
    data: [
      {
        group: { severity: 'high', age: '31-90' },
        findings: 3,
        oldest_first_seen_at: '2026-09-21T14:26:21.438Z',
      },
    ],
  },
}
