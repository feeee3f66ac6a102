import { accessTypes, resourceIds } from '../../access/permissions.ts'
import type { EndpointExample } from '../../http/endpoint.ts'

export const rolesExample: EndpointExample = {
  query: {
    include_permissions: true,
  },
  response: {
    roles: [
      {
        id: 'cr_member',
        name: 'cr_member',
        description:
          'Reads the organization, its repositories, metrics and findings, and works with Learnings.',
        type: 'system',
        is_default: true,
        user_count: 1,
        permissions: [
          {
            resource_id: 'organization_management',
            access_type: 'read',
          },
        ],
      },
    ],
  },
}

export const newRoleExample: EndpointExample = {
  body: {
    name: 'Release manager',
    description: 'Reads metrics and edits Learnings.',
    permissions: [
      {
        resource_id: 'metrics',
        access_type: 'read',
      },
      {
        resource_id: 'learning',
        access_type: 'write',
      },
    ],
  },
  response: {
    id: '01a1e3ae-010d-77b5-9801-45abf649cf04',
    name: 'Release manager',
    description: 'Reads metrics and edits Learnings.',
    type: 'custom',
    is_default: false,
    user_count: 0,
    permissions: [
      {
        resource_id: 'learning',
        access_type: 'write',
      },
      {
        resource_id: 'metrics',
        access_type: 'read',
      },
    ],
  },
}

export const rolePermissionsExample: EndpointExample = {
  response: {
    resource_ids: resourceIds,
    access_types: accessTypes,
  },
}

export const roleExample: EndpointExample = {
  params: {
    role_id: 'cr_member',
  },
  response: {
    id: 'cr_member',
    name: 'cr_member',
    description: 'Reads the organization, its repositories, metrics and findings, and works with Learnings.',
    type: 'system',
    is_default: true,
    user_count: 1,
    permissions: [
      {
        resource_id: 'organization_management',
        access_type: 'read',
      },
      {
        resource_id: 'repository_management',
        access_type: 'read',
      },
      {
        resource_id: 'metrics',
        access_type: 'read',
      },
      {
        resource_id: 'security',
        access_type: 'read',
      },
      {
        resource_id: 'learning',
        access_type: 'read',
      },
      {
        resource_id: 'learning',
        access_type: 'write',
      },
    ],
  },
}

export const roleChangeExample: EndpointExample = {
  params: {
    role_id: '01a1e3ae-010d-77b5-9801-45abf649cf04',
  },
  body: {
    description: 'Reads metrics.',
    permissions: [
      {
        resource_id: 'metrics',
        access_type: 'read',
      },
    ],
  },
  response: {
    id: '01a1e3ae-010d-77b5-9801-45abf649cf04',
    name: 'Release manager',
    description: 'Reads metrics.',
    type: 'custom',
    is_default: false,
    user_count: 0,
    permissions: [
      {
        resource_id: 'metrics',
        access_type: 'read',
      },
    ],
  },
}

export const roleRemovalExample: EndpointExample = {
  params: {
    role_id: '01a1e3ae-010d-77b5-9801-45abf649cf04',
  },
}
