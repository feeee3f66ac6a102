import type { SystemRole } from '../../access/permissions.ts'
import type { Subscription } from '../../access/root.ts'

// The demo tenants, as data. Ids follow from the ids and e-mails given here (ids.ts), so a rename keeps them.

/** What a repository holds, which decides what there is to find in it. */
export type Nature = 'service' | 'interface' | 'firmware' | 'exchange' | 'records' | 'site'

export interface DemoRepository {
  readonly repositoryId: string
  readonly name: string
  readonly nature: Nature
  /** How much of its organization's work is done in it, compared to the others. */
  readonly share: number
  readonly public?: true
  readonly inactive?: true
}

export interface DemoOrganization {
  readonly orgId: string
  readonly name: string
  readonly provider: 'github' | 'gitlab'
  readonly inactive?: true
  readonly repositories: readonly DemoRepository[]
}

export interface DemoPerson {
  readonly email: string
  readonly name: string
  readonly workspaceAdmin?: true
  /** By org_id. */
  readonly roles: Readonly<Record<string, SystemRole>>
  /** Has verified read access to the active repositories of these organizations, by org_id. */
  readonly reads?: readonly string[]
}

export interface DemoRoot {
  readonly kind: 'workspace' | 'instance' | 'organization'
  readonly name: string
  readonly subscription: Subscription
  readonly instance?: { readonly provider: string; readonly host: string }
  /** Its metrics are switched off. */
  readonly metricsOff?: true
  readonly organizations: readonly DemoOrganization[]
  readonly people: readonly DemoPerson[]
}

export const workspace: DemoRoot = {
  kind: 'workspace',
  name: 'Meridian Freight',
  subscription: { plan: 'enterprise', seats: 40, active: true },
  organizations: [
    {
      orgId: '41207731',
      name: 'Meridian Platform',
      provider: 'github',
      repositories: [
        { repositoryId: '620118401', name: 'booking-api', nature: 'service', share: 5 },
        { repositoryId: '620118402', name: 'route-planner', nature: 'service', share: 3 },
        { repositoryId: '620118403', name: 'design-tokens', nature: 'site', share: 1, public: true },
        {
          repositoryId: '620118404',
          name: 'tariff-import-archived',
          nature: 'exchange',
          share: 2,
          inactive: true,
        },
      ],
    },
    {
      orgId: '41207915',
      name: 'Meridian Terminals',
      provider: 'github',
      repositories: [
        { repositoryId: '620224110', name: 'gate-scheduler', nature: 'service', share: 3 },
        { repositoryId: '620224111', name: 'yard-telemetry', nature: 'exchange', share: 2 },
      ],
    },
    {
      orgId: '7730452',
      name: 'Meridian Mobile',
      provider: 'gitlab',
      repositories: [
        { repositoryId: '55120931', name: 'driver-app', nature: 'interface', share: 4 },
        { repositoryId: '55120947', name: 'proof-of-delivery', nature: 'interface', share: 2 },
      ],
    },
    {
      orgId: '9000009',
      name: 'Dormant',
      provider: 'github',
      inactive: true,
      repositories: [
        { repositoryId: '620300771', name: 'fax-gateway', nature: 'exchange', share: 2 },
        { repositoryId: '620300772', name: 'paper-manifests', nature: 'site', share: 1 },
      ],
    },
  ],
  people: [
    {
      email: 'ingrid.solheim@example.com',
      name: 'Ingrid Solheim',
      workspaceAdmin: true,
      roles: { 41207731: 'cr_admin', 7730452: 'cr_admin' },
    },
    {
      email: 'amara.okafor@example.com',
      name: 'Amara Okafor',
      roles: { 41207731: 'cr_admin', 41207915: 'cr_member' },
      reads: ['41207731'],
    },
    {
      email: 'tobias.lindqvist@example.com',
      name: 'Tobias Lindqvist',
      workspaceAdmin: true,
      roles: { 41207915: 'cr_admin' },
    },
    {
      email: 'mei.tanaka@example.com',
      name: 'Mei Tanaka',
      roles: { 41207731: 'cr_member', 7730452: 'cr_member' },
    },
    { email: 'rafael.moreno@example.com', name: 'Rafael Moreno', roles: { 41207915: 'cr_member' } },
    { email: 'priya.raman@example.com', name: 'Priya Raman', roles: { 41207731: 'cr_billing_admin' } },
    { email: 'jonas.weber@example.com', name: 'Jonas Weber', roles: { 9000009: 'cr_admin' } },
  ],
}

export const instance: DemoRoot = {
  kind: 'instance',
  name: 'Halden Robotics',
  subscription: { plan: 'enterprise', seats: 25, active: true },
  instance: { provider: 'gitlab', host: 'git.halden.example.com' },
  organizations: [
    {
      orgId: '12',
      name: 'Halden Firmware',
      provider: 'gitlab',
      repositories: [
        { repositoryId: '318', name: 'arm-controller', nature: 'firmware', share: 4 },
        { repositoryId: '319', name: 'bootloader', nature: 'firmware', share: 1 },
      ],
    },
    {
      orgId: '27',
      name: 'Halden Fleet',
      provider: 'gitlab',
      repositories: [
        { repositoryId: '402', name: 'fleet-console', nature: 'interface', share: 3 },
        { repositoryId: '407', name: 'map-service', nature: 'service', share: 3 },
      ],
    },
  ],
  people: [
    {
      email: 'sofie.halden@example.com',
      name: 'Sofie Halden',
      roles: { 12: 'cr_admin', 27: 'cr_admin' },
    },
    { email: 'daniel.mensah@example.com', name: 'Daniel Mensah', roles: { 12: 'cr_member' } },
    {
      email: 'lucia.ferrari@example.com',
      name: 'Lucia Ferrari',
      roles: { 12: 'cr_member', 27: 'cr_member' },
    },
  ],
}

export const alone: DemoRoot = {
  kind: 'organization',
  name: 'Copperfield Health',
  subscription: { plan: 'enterprise', seats: 12, active: true },
  organizations: [
    {
      orgId: '58801264',
      name: 'Copperfield Health',
      provider: 'github',
      repositories: [
        { repositoryId: '701450018', name: 'patient-portal', nature: 'records', share: 3 },
        { repositoryId: '701450026', name: 'appointment-sync', nature: 'exchange', share: 2 },
      ],
    },
  ],
  people: [
    {
      email: 'hannah.brandt@example.com',
      name: 'Hannah Brandt',
      roles: { 58801264: 'cr_admin' },
      reads: ['58801264'],
    },
    { email: 'omar.haddad@example.com', name: 'Omar Haddad', roles: { 58801264: 'cr_member' } },
  ],
}

export const lowerPlan: DemoRoot = {
  kind: 'organization',
  name: 'Juniper Studio',
  subscription: { plan: 'pro', seats: 4, active: true },
  organizations: [
    {
      orgId: '63517740',
      name: 'Juniper Studio',
      provider: 'github',
      repositories: [
        { repositoryId: '733901255', name: 'portfolio-site', nature: 'site', share: 2, public: true },
        { repositoryId: '733901260', name: 'invoice-templates', nature: 'site', share: 1 },
      ],
    },
  ],
  people: [
    { email: 'noor.vandijk@example.com', name: 'Noor van Dijk', roles: { 63517740: 'cr_admin' } },
    { email: 'caleb.wright@example.com', name: 'Caleb Wright', roles: { 63517740: 'cr_member' } },
  ],
}

export const withoutMetrics: DemoRoot = {
  kind: 'organization',
  name: 'Saltmarsh Surveys',
  subscription: { plan: 'enterprise', seats: 6, active: true },
  metricsOff: true,
  organizations: [
    {
      orgId: '66120933',
      name: 'Saltmarsh Surveys',
      provider: 'github',
      repositories: [
        { repositoryId: '741208830', name: 'tide-tables', nature: 'exchange', share: 2 },
        { repositoryId: '741208841', name: 'field-notes', nature: 'records', share: 1 },
      ],
    },
  ],
  people: [
    { email: 'edda.moss@example.com', name: 'Edda Moss', roles: { 66120933: 'cr_admin' } },
    { email: 'ivo.marek@example.com', name: 'Ivo Marek', roles: { 66120933: 'cr_member' } },
  ],
}

export const demoRoots: readonly DemoRoot[] = [workspace, instance, alone, lowerPlan, withoutMetrics]
