// The statements of a hot path, for benches that hold the door against the bare engine.
export { readKeysUnscoped } from '../src/access/sql.ts'
export { setReach } from '../src/db/transaction.ts'
export { pageOfRoot } from '../src/resources/organizations/sql.ts'
