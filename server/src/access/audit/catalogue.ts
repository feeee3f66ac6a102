// Every action of the audit log, `<resource>_<verb>`, with its label and sentence. An action is never removed, because its
// rows stay.

export const resourceTypes = {
  api_key: 'API key',
  connector: 'Connector',
  finding: 'Finding',
  instance: 'Self-hosted instance',
  learning: 'Learning',
  learning_setting: 'Learning setting',
  metrics: 'Metrics',
  organization: 'Organization',
  person: 'Person',
  repository: 'Repository',
  request: 'Request',
  reviewer: 'Reviewer',
  role: 'Role',
  root: 'Tenant',
  scim_credential: 'SCIM credential',
  scim_group: 'SCIM group',
  seat: 'Seat',
  security_finding: 'Security finding',
  security_scan: 'Security scan',
  session: 'Session',
  user: 'User',
  workspace: 'Workspace',
} as const

export type ResourceType = keyof typeof resourceTypes

interface ActionDescription {
  readonly type: ResourceType
  readonly label: string
  /**
   * `{name}` stands for a personal value or a metadata field, `{resource}` for the name of the changed object, or its id if
   * it has none, `{role}` for the name of a role, `{people}` for the person or the number of people. `{person}` stands for
   * the person who is the resource or whose session it is.
   */
  readonly sentence: string
}

function defineAction<Type extends ResourceType>(type: Type, label: string, sentence: string) {
  return { type, label, sentence }
}

export const actions = {
  workspace_created: defineAction('workspace', 'Workspace created', 'Workspace {name} was created'),
  root_deleted: defineAction('root', 'Tenant deleted', 'Tenant {resource} was deleted with all its data'),

  instance_created: defineAction('instance', 'Instance created', 'Self-hosted instance {name} was created'),
  instance_metrics_enabled: defineAction(
    'instance',
    'Instance metrics enabled',
    'Instance {resource} sends metrics',
  ),
  instance_metrics_disabled: defineAction(
    'instance',
    'Instance metrics disabled',
    'Instance {resource} no longer sends metrics',
  ),

  organization_created: defineAction(
    'organization',
    'Organization created',
    'Organization {name} was created',
  ),
  organization_renamed: defineAction(
    'organization',
    'Organization renamed',
    'Organization is now called {name}',
  ),
  organization_activated: defineAction(
    'organization',
    'Organization activated',
    'Organization {resource} was activated',
  ),
  organization_deactivated: defineAction(
    'organization',
    'Organization deactivated',
    'Organization {resource} was deactivated',
  ),
  organization_metrics_enabled: defineAction(
    'organization',
    'Organization metrics enabled',
    'Metrics of organization {resource} were enabled',
  ),
  organization_metrics_disabled: defineAction(
    'organization',
    'Organization metrics disabled',
    'Metrics of organization {resource} were disabled',
  ),

  repository_added: defineAction('repository', 'Repository added', 'Repository {name} was added'),
  repository_changed: defineAction('repository', 'Repository changed', 'Repository {name} was changed'),

  person_added: defineAction('person', 'Person added', '{name} was added'),
  person_changed: defineAction('person', 'Person changed', 'Name or email of {name} was changed'),
  person_joined: defineAction('person', 'Person joined', '{name} joined the organization as {role}'),
  person_left: defineAction('person', 'Person left', '{name} left the organization'),
  person_promoted: defineAction('person', 'Person promoted', '{name} became workspace admin'),
  person_demoted: defineAction('person', 'Person demoted', '{name} is no longer workspace admin'),
  person_deactivated: defineAction('person', 'Person deactivated', '{name} was deactivated'),
  person_reactivated: defineAction('person', 'Person reactivated', '{name} was reactivated'),
  person_merged: defineAction('person', 'Person merged', 'Another record of {name} was merged into this one'),
  person_offboarded: defineAction('person', 'Person offboarded', '{name} was offboarded'),
  person_erased: defineAction('person', 'Person erased', 'Personal data of a person was erased'),
  person_role_changed: defineAction('person', 'Person’s role changed', 'Role of {people} is now {role}'),
  person_account_added: defineAction('person', 'Account added', 'A provider account was added to {name}'),
  person_account_renamed: defineAction('person', 'Account renamed', 'Provider account of {name} was renamed'),
  person_member_account_changed: defineAction(
    'person',
    'Member’s account changed',
    '{name} is a member through another provider account',
  ),
  person_repository_access_granted: defineAction(
    'person',
    'Repository access granted',
    '{name} was verified to read repositories',
  ),
  person_repository_access_revoked: defineAction(
    'person',
    'Repository access revoked',
    '{name} lost access to repositories',
  ),

  person_identity_linked: defineAction(
    'person',
    'Identity linked',
    'An account of {issuer} was linked to {person}',
  ),
  person_identity_unlinked: defineAction(
    'person',
    'Identity unlinked',
    'An account of {issuer} was unlinked from {person}',
  ),

  session_started: defineAction('session', 'Signed in', '{person} signed in by {method}'),
  session_ended: defineAction('session', 'Signed out', 'A session of {person} ended'),
  session_refused: defineAction('session', 'Sign-in refused', 'A sign-in by {method} was refused: {reason}'),

  person_invited: defineAction('person', 'Person invited', '{name} was invited to sign in'),
  person_invitation_accepted: defineAction('person', 'Invitation accepted', '{name} accepted the invitation'),
  person_sign_in_link_created: defineAction(
    'person',
    'Sign-in link created',
    'A one-time sign-in link was created for {name}',
  ),
  person_sign_in_link_used: defineAction(
    'person',
    'Sign-in link used',
    '{name} signed in by a one-time link',
  ),
  person_passkey_added: defineAction('person', 'Passkey added', '{name} added a passkey'),
  person_passkey_removed: defineAction('person', 'Passkey removed', 'A passkey of {name} was removed'),
  person_passkey_refused: defineAction(
    'person',
    'Passkey refused',
    'A passkey of {name} was refused: it seems to be a copy',
  ),
  person_scim_linked: defineAction(
    'person',
    'Person linked to SCIM',
    '{name} is managed by the identity provider',
  ),
  person_scim_changed: defineAction(
    'person',
    'Person’s SCIM account changed',
    'The account of {name} at the identity provider was changed',
  ),
  person_scim_unlinked: defineAction(
    'person',
    'Person unlinked from SCIM',
    '{name} is no longer managed by the identity provider',
  ),

  seat_assigned: defineAction('seat', 'Seat assigned', '{name} was assigned a seat'),
  seat_unassigned: defineAction('seat', 'Seat unassigned', 'Seat of {name} was unassigned'),
  seat_requested: defineAction('seat', 'Seat requested', 'Seat for {name} was requested'),
  seat_declined: defineAction('seat', 'Seat declined', 'Seat request of {name} was declined'),
  seat_mode_changed: defineAction(
    'seat',
    'Seat assignment mode changed',
    'Seats are assigned in {mode} mode',
  ),

  role_created: defineAction('role', 'Role created', 'Role {name} was created'),
  role_changed: defineAction('role', 'Role changed', 'Role {name} was changed'),
  role_updated: defineAction('role', 'Role updated', 'Role {name} was changed'),
  role_deleted: defineAction('role', 'Role deleted', 'Role {name} was deleted'),

  api_key_created: defineAction('api_key', 'API key created', 'API key {name} of kind {kind} was created'),
  api_key_rotated: defineAction('api_key', 'API key rotated', 'API key {name} was replaced by a new one'),
  api_key_revoked: defineAction('api_key', 'API key revoked', 'API key {name} was revoked'),

  scim_credential_created: defineAction(
    'scim_credential',
    'SCIM credential created',
    'SCIM credential {name} was created',
  ),
  scim_credential_revoked: defineAction(
    'scim_credential',
    'SCIM credential revoked',
    'SCIM credential {name} was revoked',
  ),
  scim_group_created: defineAction('scim_group', 'SCIM group created', 'Group {name} was created'),
  scim_group_changed: defineAction('scim_group', 'SCIM group changed', 'Group {name} was changed'),
  scim_group_deleted: defineAction('scim_group', 'SCIM group deleted', 'Group {name} was deleted'),
  scim_group_mapped: defineAction(
    'scim_group',
    'SCIM group mapped',
    'Group {name} gives the role {role} in the organization',
  ),
  scim_group_unmapped: defineAction(
    'scim_group',
    'SCIM group unmapped',
    'Group {name} no longer gives the role {role} in the organization',
  ),

  connector_created: defineAction(
    'connector',
    'Connector created',
    'The organization was connected to {account} at {host}',
  ),
  connector_deleted: defineAction(
    'connector',
    'Connector deleted',
    'The connector to {account} at {host} was deleted',
  ),

  metrics_move_requested: defineAction(
    'metrics',
    'Move of metrics requested',
    'Metrics are to be moved to {store}',
  ),
  metrics_received: defineAction(
    'metrics',
    'Metrics received',
    'Events {type} received within an hour: {events}',
  ),
  metrics_moved: defineAction('metrics', 'Metrics moved', 'Metrics were moved from {from} to {store}'),

  learning_created: defineAction('learning', 'Learning created', 'Learning {resource} was created'),
  learning_proposed: defineAction('learning', 'Learning proposed', 'Learning {resource} was proposed'),
  learning_promoted: defineAction('learning', 'Learning promoted', 'Learning {resource} became shared'),
  learning_approved: defineAction('learning', 'Learning approved', 'Learning {resource} was approved'),
  learning_disapproved: defineAction(
    'learning',
    'Learning disapproved',
    'Learning {resource} was disapproved',
  ),
  learning_updated: defineAction('learning', 'Learning updated', 'Learning {resource} was changed'),
  learning_deleted: defineAction('learning', 'Learning deleted', 'Learning {resource} was deleted'),
  learning_expired: defineAction(
    'learning',
    'Learning expired',
    'Learning {resource} expired with its pull request',
  ),
  learning_merged: defineAction(
    'learning',
    'Learning merged',
    'Learning {resource} was merged into an equal one',
  ),
  learning_setting_changed: defineAction(
    'learning_setting',
    'Learning setting changed',
    'Learning settings of {resource} were changed',
  ),

  finding_outcome_set: defineAction(
    'finding',
    'Finding outcome set',
    'The outcome of finding {resource} was set by a person',
  ),
  finding_outcome_withdrawn: defineAction(
    'finding',
    'Finding outcome withdrawn',
    'A person withdrew their outcome of finding {resource}',
  ),
  reviewer_price_changed: defineAction(
    'reviewer',
    'Reviewer price changed',
    'Prices of reviewers of organization {resource} were changed',
  ),

  security_finding_dismissed: defineAction(
    'security_finding',
    'Security finding dismissed',
    'Security finding {resource} was dismissed: {reason}',
  ),
  security_finding_reopened: defineAction(
    'security_finding',
    'Security finding reopened',
    'Security finding {resource} was reopened',
  ),

  security_scan_applied: defineAction(
    'security_scan',
    'Security scan applied',
    'Scan {resource}: findings created {created}, opened {opened}, fixed {fixed}, dismissed {dismissed}',
  ),

  request_refused: defineAction('request', 'Request refused', '{route} was refused with {code}'),
} as const satisfies Readonly<Record<`${ResourceType}_${string}`, ActionDescription>>

export type Action = keyof typeof actions
export type ActionOf<Type extends ResourceType> = Extract<Action, `${Type}_${string}`>

const actionDescriptions: ReadonlyMap<string, ActionDescription> = new Map(Object.entries(actions))
const typeLabels: ReadonlyMap<string, string> = new Map(Object.entries(resourceTypes))

/** Describes a stored action. An unknown action, written by a newer version, is shown by its name. */
export function describeAction(action: string): Omit<ActionDescription, 'type'> {
  const description = actionDescriptions.get(action)
  return description ?? { label: humanize(action), sentence: `${humanize(action)}: {resource}` }
}

export function getResourceTypeLabel(resourceType: string): string {
  return typeLabels.get(resourceType) ?? humanize(resourceType)
}

export function isKnownAction(action: string): boolean {
  return actionDescriptions.has(action)
}

export function isKnownResourceType(resourceType: string): boolean {
  return typeLabels.has(resourceType)
}

/** The actions whose rows are of these types. */
export function findActionsOfTypes(types: readonly string[]): Action[] {
  return (Object.keys(actions) as Action[]).filter((action) => types.includes(actions[action].type))
}

function humanize(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
