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
  /**
   * `{name}` stands for a personal value or a metadata field, `{resource}` for the name of the changed object, or its id if
   * it has none, `{role}` for the name of a role, `{people}` for the person or the number of people. `{person}` stands for
   * the person who is the resource or whose session it is.
   */
  readonly sentence: string
  /** Default: the label of the type with the rest of the name, such as `API key created`. */
  readonly label?: string
}

function defineAction<Type extends ResourceType>(type: Type, sentence: string, label?: string) {
  return { type, sentence, ...(label !== undefined && { label }) }
}

export const actions = {
  workspace_created: defineAction('workspace', 'Workspace {name} was created'),
  root_deleted: defineAction('root', 'Tenant {resource} was deleted with all its data'),
  root_restored: defineAction(
    'root',
    'Tenant {resource} was restored to its state of {restored_to}: {sessions} sessions ended, {restrictions} changes that took access away made again',
  ),

  instance_created: defineAction('instance', 'Self-hosted instance {name} was created', 'Instance created'),
  instance_metrics_enabled: defineAction(
    'instance',
    'Instance {resource} sends metrics',
    'Instance metrics enabled',
  ),
  instance_metrics_disabled: defineAction(
    'instance',
    'Instance {resource} no longer sends metrics',
    'Instance metrics disabled',
  ),

  organization_created: defineAction('organization', 'Organization {name} was created'),
  organization_renamed: defineAction('organization', 'Organization is now called {name}'),
  organization_activated: defineAction('organization', 'Organization {resource} was activated'),
  organization_deactivated: defineAction('organization', 'Organization {resource} was deactivated'),
  organization_metrics_enabled: defineAction(
    'organization',
    'Metrics of organization {resource} were enabled',
  ),
  organization_metrics_disabled: defineAction(
    'organization',
    'Metrics of organization {resource} were disabled',
  ),

  repository_added: defineAction('repository', 'Repository {name} was added'),
  repository_changed: defineAction('repository', 'Repository {name} was changed'),

  person_added: defineAction('person', '{name} was added'),
  person_changed: defineAction('person', 'Name or email of {name} was changed'),
  person_joined: defineAction('person', '{name} joined the organization as {role}'),
  person_left: defineAction('person', '{name} left the organization'),
  person_promoted: defineAction('person', '{name} became workspace admin'),
  person_demoted: defineAction('person', '{name} is no longer workspace admin'),
  person_deactivated: defineAction('person', '{name} was deactivated'),
  person_reactivated: defineAction('person', '{name} was reactivated'),
  person_merged: defineAction('person', 'Another record of {name} was merged into this one'),
  person_offboarded: defineAction('person', '{name} was offboarded'),
  person_erased: defineAction('person', 'Personal data of a person was erased'),
  person_role_changed: defineAction('person', 'Role of {people} is now {role}', 'Person’s role changed'),
  person_account_added: defineAction('person', 'A provider account was added to {name}', 'Account added'),
  person_account_renamed: defineAction('person', 'Provider account of {name} was renamed', 'Account renamed'),
  person_member_account_changed: defineAction(
    'person',
    '{name} is a member through another provider account',
    'Member’s account changed',
  ),
  person_repository_access_granted: defineAction(
    'person',
    '{name} was verified to read repositories',
    'Repository access granted',
  ),
  person_repository_access_revoked: defineAction(
    'person',
    '{name} lost access to repositories',
    'Repository access revoked',
  ),

  person_identity_linked: defineAction(
    'person',
    'An account of {issuer} was linked to {person}',
    'Identity linked',
  ),
  person_identity_unlinked: defineAction(
    'person',
    'An account of {issuer} was unlinked from {person}',
    'Identity unlinked',
  ),

  session_started: defineAction('session', '{person} signed in by {method}', 'Signed in'),
  session_ended: defineAction('session', 'A session of {person} ended', 'Signed out'),
  session_refused: defineAction('session', 'A sign-in by {method} was refused: {reason}', 'Sign-in refused'),

  person_invited: defineAction('person', '{name} was invited to sign in'),
  person_invitation_accepted: defineAction('person', '{name} accepted the invitation', 'Invitation accepted'),
  person_sign_in_link_created: defineAction(
    'person',
    'A one-time sign-in link was created for {name}',
    'Sign-in link created',
  ),
  person_sign_in_link_used: defineAction(
    'person',
    '{name} signed in by a one-time link',
    'Sign-in link used',
  ),
  person_passkey_added: defineAction('person', '{name} added a passkey', 'Passkey added'),
  person_passkey_removed: defineAction('person', 'A passkey of {name} was removed', 'Passkey removed'),
  person_passkey_refused: defineAction(
    'person',
    'A passkey of {name} was refused: it seems to be a copy',
    'Passkey refused',
  ),
  person_scim_linked: defineAction(
    'person',
    '{name} is managed by the identity provider',
    'Person linked to SCIM',
  ),
  person_scim_changed: defineAction(
    'person',
    'The account of {name} at the identity provider was changed',
    'Person’s SCIM account changed',
  ),
  person_scim_unlinked: defineAction(
    'person',
    '{name} is no longer managed by the identity provider',
    'Person unlinked from SCIM',
  ),

  seat_assigned: defineAction('seat', '{name} was assigned a seat'),
  seat_unassigned: defineAction('seat', 'Seat of {name} was unassigned'),
  seat_requested: defineAction('seat', 'Seat for {name} was requested'),
  seat_declined: defineAction('seat', 'Seat request of {name} was declined'),
  seat_mode_changed: defineAction(
    'seat',
    'Seats are assigned in {mode} mode',
    'Seat assignment mode changed',
  ),

  role_created: defineAction('role', 'Role {name} was created'),
  role_changed: defineAction('role', 'Role {name} was changed'),
  role_updated: defineAction('role', 'Role {name} was changed'),
  role_deleted: defineAction('role', 'Role {name} was deleted'),

  api_key_created: defineAction('api_key', 'API key {name} of kind {kind} was created'),
  api_key_rotated: defineAction('api_key', 'API key {name} was replaced by a new one'),
  api_key_revoked: defineAction('api_key', 'API key {name} was revoked'),

  scim_credential_created: defineAction('scim_credential', 'SCIM credential {name} was created'),
  scim_credential_revoked: defineAction('scim_credential', 'SCIM credential {name} was revoked'),
  scim_group_created: defineAction('scim_group', 'Group {name} was created'),
  scim_group_changed: defineAction('scim_group', 'Group {name} was changed'),
  scim_group_deleted: defineAction('scim_group', 'Group {name} was deleted'),
  scim_group_mapped: defineAction('scim_group', 'Group {name} gives the role {role} in the organization'),
  scim_group_unmapped: defineAction(
    'scim_group',
    'Group {name} no longer gives the role {role} in the organization',
  ),

  connector_created: defineAction('connector', 'The organization was connected to {account} at {host}'),
  connector_deleted: defineAction('connector', 'The connector to {account} at {host} was deleted'),

  metrics_move_requested: defineAction(
    'metrics',
    'Metrics are to be moved to {store}',
    'Move of metrics requested',
  ),
  metrics_received: defineAction('metrics', 'Events {type} received within an hour: {events}'),
  metrics_moved: defineAction('metrics', 'Metrics were moved from {from} to {store}'),

  learning_created: defineAction('learning', 'Learning {resource} was created'),
  learning_proposed: defineAction('learning', 'Learning {resource} was proposed'),
  learning_promoted: defineAction('learning', 'Learning {resource} became shared'),
  learning_approved: defineAction('learning', 'Learning {resource} was approved'),
  learning_disapproved: defineAction('learning', 'Learning {resource} was disapproved'),
  learning_updated: defineAction('learning', 'Learning {resource} was changed'),
  learning_deleted: defineAction('learning', 'Learning {resource} was deleted'),
  learning_expired: defineAction('learning', 'Learning {resource} expired with its pull request'),
  learning_merged: defineAction('learning', 'Learning {resource} was merged into an equal one'),
  learning_setting_changed: defineAction('learning_setting', 'Learning settings of {resource} were changed'),

  finding_outcome_set: defineAction('finding', 'The outcome of finding {resource} was set by a person'),
  finding_outcome_withdrawn: defineAction('finding', 'A person withdrew their outcome of finding {resource}'),
  reviewer_price_changed: defineAction(
    'reviewer',
    'Prices of reviewers of organization {resource} were changed',
  ),

  security_finding_dismissed: defineAction(
    'security_finding',
    'Security finding {resource} was dismissed: {reason}',
  ),
  security_finding_reopened: defineAction('security_finding', 'Security finding {resource} was reopened'),

  security_scan_applied: defineAction(
    'security_scan',
    'Scan {resource}: findings created {created}, opened {opened}, fixed {fixed}, dismissed {dismissed}',
  ),

  request_refused: defineAction('request', '{route} was refused with {code}'),
} as const satisfies Readonly<Record<`${ResourceType}_${string}`, ActionDescription>>

export type Action = keyof typeof actions
export type ActionOf<Type extends ResourceType> = Extract<Action, `${Type}_${string}`>

const actionDescriptions: ReadonlyMap<string, ActionDescription> = new Map(Object.entries(actions))
const typeLabels: ReadonlyMap<string, string> = new Map(Object.entries(resourceTypes))

/** Describes a stored action. An unknown action, written by a newer version, is shown by its name. */
export function describeAction(action: string): { readonly label: string; readonly sentence: string } {
  const description = actionDescriptions.get(action)
  if (description === undefined)
    return { label: humanize(action), sentence: `${humanize(action)}: {resource}` }
  const {
    type,
    sentence,
    label = resourceTypes[type] + action.slice(type.length).replaceAll('_', ' '),
  } = description
  return { label, sentence }
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
