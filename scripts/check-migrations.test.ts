import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadModule } from 'libpg-query'
import { checkMigrations } from './check-migrations.ts'

await loadModule()
const root = fileURLToPath(new URL('../', import.meta.url))
const noTransaction = '-- migrate: no transaction\n'
const contract = '-- migrate: contract after fill-notes\n'

/** `line what` of the violations of these files, the first of which is 0002. */
function check(...texts: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-migrations-'))
  try {
    mkdirSync(join(folder, 'server/migrations'), { recursive: true })
    for (const [index, text] of texts.entries())
      writeFileSync(join(folder, `server/migrations/${String(2 + index).padStart(4, '0')}_test.sql`), text)
    return checkMigrations(folder).map(({ line, what }) => `${line} ${what}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the migrations of this version pass', () => {
  assert.deepEqual(checkMigrations(root), [])
})

describe('a migration is refused that', () => {
  const unsafe: readonly (readonly [string, string, RegExp])[] = [
    [
      'adds a column with a volatile default',
      'alter table seat add a uuid default gen_random_uuid()',
      /^1 computes/,
    ],
    ['adds a column with an unknown default', 'alter table seat add a int default my_count()', /^1 computes/],
    [
      'adds a computed column',
      'alter table seat add a int generated always as (b + 1) stored',
      /^1 rewrites/,
    ],
    ['adds an identity column', 'alter table seat add a int generated always as identity', /^1 rewrites/],
    ['adds a serial column', "alter table seat add a int default nextval('s')", /^1 computes/],
    ['adds a column not null', 'alter table seat add a int not null', /^1 adds seat\.a as not null/],
    ['adds a unique column', 'alter table seat add a int unique', /^1 rewrites seat or builds an index/],
    ['adds a column with a check', 'alter table seat add a int check (a > 0)', /^1 reads all rows/],
    [
      'adds a reference with a default',
      `alter table seat add a int default 1 references root`,
      /^1 reads all rows/,
    ],
    ['changes a type', 'alter table seat alter a type bigint', /^1 rewrites seat/],
    ['renames a column', 'alter table seat rename a to b', /^1 renames/],
    ['renames a table', 'alter table seat rename to place', /^1 renames/],
    ['drops a column', '\n-- why\nalter table seat drop a', /^3 removes the column seat\.a/],
    ['drops a table', 'drop table seat', /^1 removes/],
    ['drops a function', 'drop function app_root()', /^1 removes/],
    ['drops a policy for good', 'drop policy tenant on seat', /^1 removes/],
    [
      'drops a constraint',
      'alter table seat drop constraint seat_pkey',
      /^1 removes the constraint seat_pkey/,
    ],
    [
      'changes a unique key',
      'alter table seat drop constraint k, add constraint k unique using index k2',
      /^1 removes the constraint k/,
    ],
    ['empties a table', 'truncate seat', /^1 removes/],
    ['builds an index under a lock', 'create index a on seat (b)', /^1 builds an index of seat/],
    ['drops an index under a lock', 'drop index a', /^1 drops an index/],
    ['adds a check that is validated at once', 'alter table seat add check (a > 0)', /^1 reads all rows/],
    [
      'adds a reference that is validated at once',
      'alter table seat add foreign key (a) references root',
      /^1 reads/,
    ],
    ['adds a unique key', 'alter table seat add unique (a)', /^1 reads all rows/],
    [
      'validates a constraint in a transaction',
      'alter table seat validate constraint a',
      /^1 reads all rows/,
    ],
    ['sets not null', 'alter table seat alter a set not null', /^1 makes seat\.a not null/],
    [
      'sets not null without a validated check',
      `${contract}alter table seat alter a set not null`,
      /^2 makes seat\.a/,
    ],
    ['updates rows', 'update seat set a = 1', /^1 changes rows of seat/],
    ['updates rows of a new table', 'create table a (); update a set b = 1', /^1 changes rows of a/],
    ['deletes rows', 'delete from seat where a', /^1 changes rows of seat/],
    ['copies rows', 'create table a (b int);\ninsert into a select b from seat', /^2 copies rows into a/],
    [
      'copies rows through a union',
      'insert into a values (1) union select b from seat',
      /^1 copies rows into a/,
    ],
    ['creates a table from rows', 'create table a as select * from seat', /^1 copies rows/],
    ['locks a table', 'lock table seat', /^1 locks a table/],
    [
      'alters two tables',
      'alter table a add x int; alter table b add x int',
      /^1 locks a and b in one transaction/,
    ],
    [
      'alters a table and a policy',
      'alter table a add x int; create policy p on b',
      /^1 locks a and b in one/,
    ],
    ['hides statements', 'do $$ begin update seat set a = 1; end $$', /^1 hides statements/],
    ['vacuums in a transaction', 'vacuum seat', /^1 cannot run in a transaction/],
    [
      'does what nobody has thought of',
      'alter system set work_mem = 1',
      /^1 has a statement \(AlterSystemStmt\)/,
    ],
    [
      'alters a table in an unknown way',
      'alter table seat set unlogged',
      /^1 has an alteration \(AT_SetUnLogged\)/,
    ],
    ['cannot be parsed', 'create tabel a ()', /^1 cannot be parsed: syntax error/],
    [
      'cannot be repeated',
      `${noTransaction}create index concurrently a on seat (b)`,
      /^2 has a statement that cannot/,
    ],
    ['cannot be repeated either', `${noTransaction}create table a ()`, /^2 has a statement that cannot/],
    ['has an unknown instruction', '-- migrate: sometimes\n', /^1 cannot be parsed: .*unknown instruction/],
  ]
  for (const [what, text, expected] of unsafe) {
    test(what, () => {
      const found = check(text)
      assert.equal(found.length, 1, found.join('\n'))
      assert.match(found[0] ?? '', expected)
    })
  }
})

test('only the baseline may create and fill tables at once', () => {
  assert.notDeepEqual(check(readFileSync(join(root, 'server/migrations/0001_baseline.sql'), 'utf8')), [])
})

test('what is safe online passes', () => {
  const files = [
    `create table note (root_id uuid not null, text text not null check (text <> ''));
     create unique index note_root on note (root_id);
     alter table note alter text set storage external, add primary key (root_id);
     call isolate_by_root('note');
     grant select on note to scholiast_api;
     insert into setting (name, value) values ('a', 'b');
     do $$ begin if not exists (select from pg_roles) then raise exception 'no role'; end if; end $$;`,
    `alter table seat add a int, add b boolean not null default false, add c timestamptz not null default now(),
       add d text[] default '{}'::text[], add e uuid references root, add constraint f check (a > 0) not valid;
     alter table seat drop constraint g, add constraint g check (a in (1, 2)) not valid;
     drop policy tenant on seat;
     create policy tenant on seat using (true);
     create or replace function h() returns int language sql as 'select 1';`,
    `${noTransaction}create index concurrently if not exists a on seat (b);
     drop index concurrently if exists c;
     alter table seat validate constraint f;
     analyze seat;`,
    'alter table seat add constraint a_given check (a is not null) not valid;',
    `${noTransaction}alter table seat validate constraint a_given;`,
    `${contract}alter table seat alter a set not null, drop constraint a_given, drop column b;
     drop table note;
     drop function h;`,
    '-- migrate: contract\nalter table seat drop column c;',
  ]
  assert.deepEqual(check(...files), [])
})
