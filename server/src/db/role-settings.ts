export type ServiceRole = 'auth' | 'api' | 'worker'
export type Settings = Readonly<Record<string, string>>

// One plan per statement: planning sixty partitions at each call would cost more than reading the page. The server
// notices within half a minute that this process or its network is gone, and ends its transactions with their locks.
const common: Settings = {
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  timezone: 'UTC',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25000',
  client_connection_check_interval: '5000',
}

// The server cancels a statement after this time, and ends a transaction that sends none for so long, and with it its locks.
// A request waits 5 s at most (wait-limits.ts).
const ofRequests: Settings = {
  ...common,
  statement_timeout: '4000',
  idle_in_transaction_session_timeout: '15000',
}
const ofJobs: Settings = {
  ...common,
  statement_timeout: '20000',
  idle_in_transaction_session_timeout: '60000',
}
// A person's queries. They hold back vacuum while they run, so they end.
const ofReports: Settings = {
  timezone: 'UTC',
  default_transaction_read_only: 'on',
  statement_timeout: '60000',
  idle_in_transaction_session_timeout: '60000',
}

/**
 * Settings of each role, which `database bootstrap` stores: a session begins with them, also one that PgBouncer opened and
 * lends to many processes in turn.
 */
export const roleSettings: Readonly<Record<ServiceRole | 'report', Settings>> = {
  auth: ofRequests,
  api: ofRequests,
  worker: ofJobs,
  report: ofReports,
}
