// Refuses migrations that are unsafe while version N−1 serves requests: those that lock or rewrite a table for long,
// that copy rows while others are written, or that take away what version N−1 uses (CONTRIBUTING.md).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadModule, parseSync } from 'libpg-query'
import { parseMigration } from '../server/src/db/migration-files.ts'
import { listFiles, printViolations, type Violation } from './sources.ts'

/** Creates the schema in an empty database, where nobody waits for a lock. */
const BASELINE = '0001_baseline.sql'

/** A node of PostgreSQL's parse tree: `{ Kind: { field: value } }`. */
type Fields = Readonly<Record<string, unknown>>
interface ParsedStatement {
  readonly kind: string
  readonly fields: Fields
  readonly line: number
}

/** What is wrong with a statement and what to write instead. */
interface Fault {
  readonly what: string
  readonly todo: string
}

interface File {
  readonly inTransaction: boolean
  readonly contract: boolean
  /** Tables that this file creates: nobody uses them yet. */
  readonly newTables: ReadonlySet<string>
  readonly statements: readonly ParsedStatement[]
}

/** Constraints `check (column is not null)` of all files: `table.constraint` to `table.column`, and those validated. */
interface NotNullChecks {
  readonly columns: Map<string, string>
  readonly validated: Set<string>
}

/** `loadModule` of libpg-query must have been awaited. */
export function checkMigrations(root: string): Violation[] {
  const notNull: NotNullChecks = { columns: new Map(), validated: new Set() }
  return listFiles(root)
    .filter((file) => /^server\/migrations\/\d{4}_.*\.sql$/.test(file))
    .map((file) => ({ file, name: file.slice('server/migrations/'.length) }))
    .filter(({ name }) => name !== BASELINE)
    .flatMap(({ file, name }) => {
      const text = readFileSync(join(root, file), 'utf8')
      const toViolation = (line: number, { what, todo }: Fault): Violation => ({
        file,
        line,
        what,
        why: 'version N−1 reads and writes the database while a migration runs and until it is replaced',
        todo,
      })
      try {
        const parsed = parseFile(name, text)
        const faults = parsed.statements.flatMap((statement) =>
          findFaults(statement, parsed, notNull).map((fault) => toViolation(statement.line, fault)),
        )
        const several = findSeveralLocks(parsed)
        return several === null ? faults : [...faults, toViolation(1, several)]
      } catch (error) {
        const what = error instanceof Error ? error.message : String(error)
        return [toViolation(1, { what: `cannot be parsed: ${what}`, todo: 'correct the SQL' })]
      }
    })
}

function parseFile(name: string, text: string): File {
  const { inTransaction, contract } = parseMigration(name, text)
  // Positions count bytes.
  const bytes = Buffer.from(text)
  const { stmts = [] } = parseSync(text) as { stmts?: { stmt: Fields; stmt_location?: number }[] }
  const statements = stmts.map(({ stmt, stmt_location: start = 0 }) => {
    const [kind, fields] = getNode(stmt)
    const before = bytes.subarray(0, start).toString()
    const gap = /^(?:\s+|--[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(bytes.subarray(start).toString())?.[0] ?? ''
    return { kind, fields, line: (before + gap).split('\n').length }
  })
  const newTables = new Set(
    statements
      .filter(({ kind }) => kind === 'CreateStmt' || kind === 'CreateTableAsStmt')
      .map(({ fields }) => getTable(fields['relation'] ?? getField(fields['into'], 'rel'))),
  )
  return { inTransaction, contract: contract !== null, newTables, statements }
}

/** A request that holds a lock on one of them and waits for the other would be ended as a deadlock. */
function findSeveralLocks(file: File): Fault | null {
  const locked = file.statements.flatMap(({ kind, fields }) => {
    if (kind === 'AlterTableStmt' || kind === 'CreateTrigStmt') return getTable(fields['relation'])
    if (kind === 'CreatePolicyStmt' || kind === 'AlterPolicyStmt') return getTable(fields['table'])
    return []
  })
  const tables = [...new Set(locked)].filter((table) => !file.newTables.has(table))
  if (!file.inTransaction || tables.length < 2) return null
  return {
    what: `locks ${tables.join(' and ')} in one transaction`,
    todo: 'write a file for each table, so that no request is ended as a deadlock',
  }
}

/** Statements that neither wait for long, nor read or rewrite rows, nor take anything away. */
const harmless = new Set([
  'AlterDefaultPrivilegesStmt',
  'AlterPolicyStmt',
  'CallStmt',
  'CommentStmt',
  'CompositeTypeStmt',
  'CreateDomainStmt',
  'CreateEnumStmt',
  'CreateFunctionStmt',
  'CreatePolicyStmt',
  'CreateSeqStmt',
  'CreateStmt',
  'CreateTrigStmt',
  'DefineStmt',
  'GrantStmt',
  'VariableSetStmt',
  'ViewStmt',
])

function findFaults({ kind, fields }: ParsedStatement, file: File, notNull: NotNullChecks): Fault[] {
  if (!file.inTransaction) {
    const fault = findUnrepeatable(kind, fields)
    if (fault !== null) return [fault]
  }
  if (kind === 'AlterTableStmt') return findAlterFaults(fields, file, notNull)
  const fault = findFault(kind, fields, file)
  return fault === null ? [] : [fault]
}

/** A file without a transaction is run again after an interruption. */
function findUnrepeatable(kind: string, fields: Fields): Fault | null {
  const repeatable =
    (kind === 'IndexStmt' && fields['concurrent'] === true && fields['if_not_exists'] === true) ||
    (kind === 'DropStmt' && fields['concurrent'] === true && fields['missing_ok'] === true) ||
    (kind === 'AlterTableStmt' &&
      getCommands(fields).every(({ subtype }) => subtype === 'AT_ValidateConstraint')) ||
    kind === 'ReindexStmt' ||
    kind === 'VacuumStmt'
  if (repeatable) return null
  return {
    what: 'has a statement that cannot be repeated, in a file without a transaction',
    todo: 'use `create index concurrently if not exists`, `drop index concurrently if exists` or `validate constraint`; move the rest into a file of its own',
  }
}

type Rule = (fields: Fields, file: File) => Fault | null

const changeRows: Rule = (fields) => ({
  what: `changes rows of ${getTable(fields['relation'])} in one transaction`,
  todo: 'write a backfill, which works in bounded batches',
})

const runAlone: Rule = (_fields, file) =>
  file.inTransaction
    ? { what: 'cannot run in a transaction', todo: 'begin the file with `-- migrate: no transaction`' }
    : null

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['IndexStmt', findIndexFault],
  ['DropStmt', findDropFault],
  ['InsertStmt', findInsertFault],
  [
    'CreateTableAsStmt',
    () => ({
      what: 'copies rows into a new table',
      todo: 'create the table and write a backfill: rows are written meanwhile',
    }),
  ],
  ['UpdateStmt', changeRows],
  ['DeleteStmt', changeRows],
  ['DoStmt', findBlockFault],
  ['TruncateStmt', (_fields, file) => (file.contract ? null : removes('rows that version N−1 uses'))],
  [
    'RenameStmt',
    () => ({
      what: 'renames what version N−1 knows by its name',
      todo: 'add the new name, write both, backfill; remove the old name in a contract file of the next release',
    }),
  ],
  [
    'LockStmt',
    () => ({ what: 'locks a table', todo: 'leave it out: the statements take the locks that they need' }),
  ],
  ['ReindexStmt', runAlone],
  ['VacuumStmt', runAlone],
])

function findFault(kind: string, fields: Fields, file: File): Fault | null {
  if (harmless.has(kind)) return null
  const rule = rules.get(kind)
  if (rule !== undefined) return rule(fields, file)
  return {
    what: `has a statement (${kind}) that is not known to be safe`,
    todo: 'if it neither locks, rewrites nor removes anything, add it to the list in scripts/check-migrations.ts',
  }
}

function findIndexFault(fields: Fields, file: File): Fault | null {
  if (fields['concurrent'] === true || file.newTables.has(getTable(fields['relation']))) return null
  return {
    what: `builds an index of ${getTable(fields['relation'])} while nobody can write to it`,
    todo: '`create index concurrently if not exists`, in a file whose first line is `-- migrate: no transaction`',
  }
}

/** Rows from other tables; values that are written down are not a copy. */
function findInsertFault(fields: Fields): Fault | null {
  if (!JSON.stringify(fields['selectStmt'] ?? null).includes('"fromClause"')) return null
  return {
    what: `copies rows into ${getTable(fields['relation'])}`,
    todo: 'write a backfill: rows are written meanwhile',
  }
}

function findBlockFault(fields: Fields): Fault | null {
  const hidden = /\b(?:insert|update|delete|alter|drop|truncate|lock|execute|index)\b/i
  if (!hidden.test(JSON.stringify(fields))) return null
  return { what: 'hides statements in a block', todo: 'write them as statements of the file' }
}

function findDropFault(fields: Fields, file: File): Fault | null {
  const type = getTextField(fields, 'removeType')
  if (type === 'OBJECT_INDEX') {
    return fields['concurrent'] === true
      ? null
      : {
          what: 'drops an index while nobody can use its table',
          todo: '`drop index concurrently if exists`, in a file whose first line is `-- migrate: no transaction`',
        }
  }
  if (file.contract) return null
  if (type === 'OBJECT_POLICY') {
    const dropped = getList(fields['objects']).flatMap((object) =>
      getList(getField(object, 'items')).slice(0, -1).map(getText),
    )
    const created = new Set(
      file.statements
        .filter(({ kind }) => kind === 'CreatePolicyStmt')
        .map((statement) => getTable(statement.fields['table'])),
    )
    if (file.inTransaction && dropped.every((table) => created.has(table))) return null
  }
  return removes('what version N−1 uses')
}

function removes(what: string): Fault {
  return {
    what: `removes ${what}`,
    todo: 'do it in a contract file of a later release: `-- migrate: contract after BACKFILL`, or only `-- migrate: contract`',
  }
}

function findAlterFaults(fields: Fields, file: File, notNull: NotNullChecks): Fault[] {
  const table = getTable(fields['relation'])
  if (fields['objtype'] !== 'OBJECT_TABLE') return []
  if (file.newTables.has(table)) return []
  const commands = getCommands(fields)
  return commands.flatMap((command) => {
    const fault = findCommandFault(command, table, commands, file, notNull)
    return fault === null ? [] : [fault]
  })
}

interface AlterCommand {
  readonly subtype: string
  readonly name: string
  readonly def: unknown
}

function getCommands(fields: Fields): AlterCommand[] {
  return getList(fields['cmds']).map((command) => ({
    subtype: getTextField(command, 'subtype'),
    name: getTextField(command, 'name'),
    def: getField(command, 'def'),
  }))
}

/** Alterations that change the catalog only. */
const quickAlterations = new Set([
  'AT_ColumnDefault',
  'AT_DropNotNull',
  'AT_EnableRowSecurity',
  'AT_EnableTrig',
  'AT_ForceRowSecurity',
  'AT_ReplaceRelOptions',
  'AT_ResetRelOptions',
  'AT_SetCompression',
  'AT_SetOptions',
  'AT_SetRelOptions',
  'AT_SetStatistics',
  'AT_SetStorage',
])

function findCommandFault(
  { subtype, name, def }: AlterCommand,
  table: string,
  commands: readonly AlterCommand[],
  file: File,
  notNull: NotNullChecks,
): Fault | null {
  if (quickAlterations.has(subtype)) return null
  switch (subtype) {
    case 'AT_AddColumn':
      return findColumnFault(def, table)
    case 'AT_AddConstraint':
      return findConstraintFault(def, table, notNull)
    case 'AT_ValidateConstraint':
      notNull.validated.add(notNull.columns.get(`${table}.${name}`) ?? '')
      return findValidationFault(table, file)
    case 'AT_SetNotNull':
      if (file.contract && notNull.validated.has(`${table}.${name}`)) return null
      return {
        what: `makes ${table}.${name} not null`,
        todo: 'add `check (column is not null) not valid`, validate it, then set it in a contract file: the check spares the scan',
      }
    case 'AT_DropConstraint':
      return file.contract || isReplacedCheck(name, commands)
        ? null
        : removes(`the constraint ${name}, which version N−1 may use`)
    case 'AT_DropColumn':
      return file.contract ? null : removes(`the column ${table}.${name}`)
    case 'AT_AlterColumnType':
      return {
        what: `rewrites ${table} to change the type of a column`,
        todo: 'add a column of the new type, write both, backfill; remove the old one in a contract file',
      }
    default:
      return {
        what: `has an alteration (${subtype}) that is not known to be safe`,
        todo: 'if it neither rewrites nor reads the rows, add it to the list in scripts/check-migrations.ts',
      }
  }
}

function findValidationFault(table: string, file: File): Fault | null {
  if (!file.inTransaction) return null
  return {
    what: `reads all rows of ${table} in a transaction`,
    todo: 'validate the constraint in a file whose first line is `-- migrate: no transaction`',
  }
}

/** A check that is dropped and added again with other values. */
function isReplacedCheck(name: string, commands: readonly AlterCommand[]): boolean {
  return commands.some(
    ({ subtype, def }) =>
      subtype === 'AT_AddConstraint' &&
      getField(def, 'conname') === name &&
      getField(def, 'contype') === 'CONSTR_CHECK',
  )
}

function findColumnFault(def: unknown, table: string): Fault | null {
  const column = `${table}.${getTextField(def, 'colname')}`
  const constraints = getList(getField(def, 'constraints'))
  const find = (type: string) => constraints.find((constraint) => getField(constraint, 'contype') === type)
  const preset = find('CONSTR_DEFAULT')
  if (preset !== undefined && !isConstant(getField(preset, 'raw_expr')))
    return { what: `computes ${column} for every row`, todo: 'add it without a default and write a backfill' }
  if (find('CONSTR_NOTNULL') !== undefined && preset === undefined)
    return {
      what: `adds ${column} as not null, which fails on rows and on version N−1`,
      todo: 'allow null, or give a constant default',
    }
  if (find('CONSTR_CHECK') !== undefined)
    return {
      what: `reads all rows to check ${column}`,
      todo: 'add the check as a constraint that is `not valid`',
    }
  if (find('CONSTR_FOREIGN') !== undefined && preset !== undefined)
    return {
      what: `reads all rows to check ${column}`,
      todo: 'leave out the default, or add the constraint as `not valid`',
    }
  const builds = [
    'CONSTR_UNIQUE',
    'CONSTR_PRIMARY',
    'CONSTR_GENERATED',
    'CONSTR_IDENTITY',
    'CONSTR_EXCLUSION',
  ]
  return builds.some((type) => find(type) !== undefined)
    ? {
        what: `rewrites ${table} or builds an index for ${column}`,
        todo: 'add the column, write a backfill, build the index concurrently',
      }
    : null
}

function findConstraintFault(def: unknown, table: string, notNull: NotNullChecks): Fault | null {
  const type = getField(def, 'contype')
  if (type === 'CONSTR_UNIQUE' && getField(def, 'indexname') !== undefined) return null
  if ((type === 'CONSTR_CHECK' || type === 'CONSTR_FOREIGN') && getField(def, 'skip_validation') === true) {
    const test = getField(def, 'raw_expr')
    if (isObject(test) && 'NullTest' in test && getField(test, 'nulltesttype') === 'IS_NOT_NULL') {
      const column = getList(getField(getField(test, 'arg'), 'fields'))
        .map(getText)
        .at(-1)
      notNull.columns.set(`${table}.${getTextField(def, 'conname')}`, `${table}.${column}`)
    }
    return null
  }
  return {
    what: `reads all rows of ${table} to add a constraint`,
    todo: 'add it as `not valid` and validate it in a file without a transaction; a unique one takes an index that was built concurrently',
  }
}

const timesOfTransaction = new Set(['now', 'transaction_timestamp', 'statement_timestamp'])

/** Whether PostgreSQL computes the default once and stores it for all rows: constants, and the time of the transaction. */
function isConstant(expression: unknown): boolean {
  if (!isObject(expression)) return true
  const [kind, fields] = getNode(expression)
  switch (kind) {
    case 'A_Const':
    case 'SQLValueFunction':
      return true
    case 'TypeCast':
      return isConstant(fields['arg'])
    case 'A_ArrayExpr':
      return getList(fields['elements']).every(isConstant)
    case 'FuncCall':
      return timesOfTransaction.has(getList(fields['funcname']).map(getText).at(-1) ?? '')
    default:
      return false
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function getNode(node: Fields): [string, Fields] {
  const [kind = '', fields] = Object.entries(node)[0] ?? []
  return [kind, isObject(fields) ? fields : {}]
}

/** A field of a node, whether it is wrapped in its kind or not. */
function getField(node: unknown, name: string): unknown {
  if (!isObject(node)) return undefined
  if (name in node) return node[name]
  const [, fields] = getNode(node)
  return fields[name]
}

function getList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text field; '' if it is missing. */
function getTextField(node: unknown, name: string): string {
  const value = getField(node, name)
  return typeof value === 'string' ? value : ''
}

function getText(node: unknown): string {
  return getTextField(node, 'sval')
}

function getTable(relation: unknown): string {
  return getTextField(relation, 'relname')
}

if (import.meta.main) {
  await loadModule()
  const root = process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url))
  process.exitCode = printViolations('check-migrations', checkMigrations(root))
}
