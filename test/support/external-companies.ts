// External tables in which company ids are spelled in many ways: whatever type and collation a column has, a company is
// the bytes of its id.
import { startWithExternalTables } from './external-tables.ts'
import type { StoreKind, startWorld } from './world.ts'

/** Two of them are the same number; two differ only in a blank or in case under some collations. */
export const COMPANIES = ['1', '01', 'A1', 'B'] as const

/** Spellings in the tables, each in a row of its own; the row says which spelling it has. */
export const SPELLINGS = [
  '1',
  '01',
  '1.0',
  '1e0',
  ' 1',
  '1 ',
  '+1',
  'A1',
  'a1',
  'A1 ',
  'A1  ',
  ' A1',
  'Ａ1',
  'A1\t',
  'B',
  'b',
  '',
] as const

/** Name -> the type of the company's column, where it holds any text. */
export const TEXT_COLUMNS: Readonly<Record<StoreKind, Readonly<Record<string, string>>>> = {
  sqlite: {
    text: 'text',
    nocase: 'text collate nocase',
    rtrim: 'varchar(9) collate rtrim',
    char: 'char(9)',
    untyped: '',
  },
  postgres: { text: 'text', varchar: 'varchar(9)', folded: 'text collate erp.folded', name: 'name' },
}

/** Types that treat different texts as the same value. */
export const OTHER_COLUMNS: Readonly<Record<StoreKind, readonly string[]>> = {
  sqlite: ['integer', 'numeric', 'real', 'boolean', 'date', 'timestamp', 'blob'],
  postgres: [
    'integer',
    'bigint',
    'numeric',
    'double precision',
    'boolean',
    'date',
    'timestamp',
    'uuid',
    'bytea',
    '"char"',
  ],
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** The marker in an answer that says how the company of its row is spelled. */
export const markOf = (spelling: string) => `is-${Buffer.from(spelling).toString('hex')}-`

function tableWith(name: string, type: string): string {
  // A padded column would cut the spelling, so another column records how the row was written.
  const rows = SPELLINGS.map((spelling, at) => `(${literal(spelling)}, ${at}, ${literal(markOf(spelling))})`)
  return `create table ${name} (company ${type}, id integer not null, descr text);
    insert into ${name} values ${rows.join(', ')};
    create index ${name.replace('.', '_')}_company on ${name} (company, id);`
}

function tablesOf(kind: StoreKind): string {
  const schema = kind === 'postgres' ? 'erp.' : ''
  const tables = Object.entries(TEXT_COLUMNS[kind]).map(([name, type]) => tableWith(`${schema}${name}_wo`, type))
  // A view may cast one type to another.
  tables.push(
    `create view ${schema}number_view as select cast(id as integer) as company, id, descr from ${schema}text_wo;`,
  )
  const others = OTHER_COLUMNS[kind].map(
    (type, at) => `create table ${schema}other_${at} (company ${type}, id integer not null, descr text);`,
  )
  const numbers =
    kind === 'sqlite'
      ? `insert into untyped_wo values (1, 100, 'is-number-'), (x'31', 101, 'is-blob-'), (null, 102, 'is-null-');`
      : `insert into erp.text_wo values (null, 102, 'is-null-');`
  return [...tables, ...others, numbers].join('\n')
}

const POSTGRES = `create schema erp;
  create collation erp.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  ${tablesOf('postgres')}
  grant usage on schema erp to public;
  grant select on all tables in schema erp to public;`

/** The name of the document on a table. */
export const documentOn = (table: string) => `on-${table.replaceAll('_', '-')}`

const documentText = (table: string) => `
  - name: ${documentOn(table)}
    key: [companyId, id]
    table: erp.${table}
    properties:
      companyId: { type: string, column: company }
      id: { type: integer }
      descr: { type: string }`

/** A setup with the companies, a client of each under its id (`c0` and on), and a document on each of the tables. */
function setupText(tables: readonly string[]): string {
  const of = (make: (companyId: string, at: number) => string) => COMPANIES.map(make).join('\n')
  return `version: 1
companies:
${of((id) => `  - { id: "${id}", name: Company ${id} }`)}
documents:${tables.map(documentText).join('')}
roles:
  - { id: reader, apis: { objects: [read, export] }, objects: ["*"] }
users:
${of((id, at) => `  - { id: u${at}, defaultCompany: "${id}", roles: { "${id}": [reader] } }`)}
clients:
${of((_id, at) => `  - { id: c${at}, user: u${at}, secretEnv: TEST_CLIENT_SECRET }`)}
`
}

/** Starts the service with documents on these tables. */
export function startWithCompanies(kind: StoreKind, tables: readonly string[]): ReturnType<typeof startWorld> {
  return startWithExternalTables(kind, () => setupText(tables), { postgres: POSTGRES, sqlite: tablesOf('sqlite') })
}
