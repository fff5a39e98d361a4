// The text index of a column: SQLite's trigrams of each text, maintained by triggers. Row numbers start with the number
// of the company, so that a search only scans the entries of one company.
import type { TextIndex } from '../../../model/document.ts'
import type { BoundValue } from '../../../query/bound-value.ts'
import { columnList, quote } from '../../../sql/dialect.ts'
import { GRAM_LENGTH, gramsOf, type SearchedText } from '../../../sql/setup-index.ts'

/** The bits of a row number within a company: at most 2^40 rows. */
const ROW_BITS = 40

/** The parts of a text index: trigrams; row number and key of each text; company numbers; triggers. */
function partsOf(name: string) {
  return {
    grams: quote(`${name}_grams`),
    rows: quote(name),
    companies: quote(`${name}_company`),
    onInsert: quote(`${name}_insert`),
    onUpdate: quote(`${name}_update`),
    onDelete: quote(`${name}_delete`),
  }
}

/**
 * In bytes; less than the default of FTS5, because a search for several trigrams skips whole pages of the common ones.
 */
const PAGE_BYTES = 1_024

/** The statements that create and fill the index in one transaction. `typeOf` returns the declared type of a column. */
export function createTextIndex(index: SearchedText, typeOf: (column: string) => string): string {
  const { grams, rows, companies } = partsOf(index.name)
  const columns = [index.company, ...index.key]
  const definitions = columns.map((column) => `${quote(column)} ${typeOf(column)} not null`)
  return `begin immediate;
    create table ${companies} (company text not null primary key, no integer not null unique) strict, without rowid;
    create table ${rows} (no integer primary key, ${definitions.join(', ')}, unique (${columnList(columns)})) strict;
    create virtual table ${grams}
      using fts5(text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');
    insert into ${grams} (${grams}, rank) values ('pgsz', ${PAGE_BYTES});
    ${filling(index)}
    ${triggers(index)}
    commit;`
}

export function dropTextIndex(name: string): string {
  const { grams, rows, companies, onInsert, onUpdate, onDelete } = partsOf(name)
  return `begin immediate;
    ${[onInsert, onUpdate, onDelete].map((trigger) => `drop trigger if exists ${trigger};`).join(' ')}
    ${[grams, rows, companies].map((table) => `drop table if exists ${table};`).join(' ')}
    commit;`
}

function filling({ name, table, company, key, column }: SearchedText): string {
  const { grams, rows, companies } = partsOf(name)
  const columns = [company, ...key]
  const ofTable = columnList(columns, 't.')
  return `insert into ${companies} (company, no)
      select ${quote(company)}, row_number() over (order by ${quote(company)})
      from (select distinct ${quote(company)} from ${quote(table)});
    insert into ${rows} (no, ${columnList(columns)})
      select (c.no << ${ROW_BITS}) + row_number() over (partition by t.${quote(company)} order by ${ofTable}), ${ofTable}
      from ${quote(table)} t join ${companies} c on c.company = t.${quote(company)}
      where length(t.${quote(column)}) >= ${GRAM_LENGTH};
    insert into ${grams} (rowid, text)
      select r.no, t.${quote(column)}
      from ${rows} r join ${quote(table)} t on ${columns.map((one) => `t.${quote(one)} = r.${quote(one)}`).join(' and ')}
      order by r.no;`
}

function triggers({ name, table, company, key, column }: SearchedText): string {
  const { grams, rows, companies, onInsert, onUpdate, onDelete } = partsOf(name)
  const columns = [company, ...key]
  const ofRow = (row: string) => columns.map((one) => `${quote(one)} = ${row}.${quote(one)}`).join(' and ')
  const first = `c.no << ${ROW_BITS}`
  const last = `select no from ${rows} where no between ${first} and ((c.no + 1) << ${ROW_BITS}) - 1 order by no desc limit 1`
  const add = `insert or ignore into ${companies} (company, no)
        select new.${quote(company)}, coalesce(max(no), 0) + 1 from ${companies};
      insert into ${rows} (no, ${columnList(columns)})
        select coalesce((${last}), ${first}) + 1, ${columnList(columns, 'new.')} from ${companies} c
        where c.company = new.${quote(company)} and length(new.${quote(column)}) >= ${GRAM_LENGTH};
      insert into ${grams} (rowid, text) select no, new.${quote(column)} from ${rows} where ${ofRow('new')};`
  const remove = `delete from ${grams} where rowid = (select no from ${rows} where ${ofRow('old')});
      delete from ${rows} where ${ofRow('old')};`
  const watched = [...columns, column]
  const differs = watched.map((one) => `old.${quote(one)} <> new.${quote(one)}`).join(' or ')
  return `create trigger ${onInsert} after insert on ${quote(table)} begin ${add} end;
    create trigger ${onUpdate} after update of ${columnList(watched)} on ${quote(table)} when ${differs}
      begin ${remove} ${add} end;
    create trigger ${onDelete} after delete on ${quote(table)} begin ${remove} end;`
}

/**
 * Selects the keys of a company's rows whose text contains the trigrams that cover `part`. `bind` returns a
 * placeholder; placeholders are bound in the order of the text.
 */
export function rowsWith(
  { name, key }: TextIndex,
  companyId: string,
  part: BoundValue,
  bind: (value: string | BoundValue) => string,
): string {
  const { grams, rows, companies } = partsOf(name)
  const match = `${grams} match ${bind(part.to((text) => matchOf(String(text))))}`
  const company = () => `(select no from ${companies} where company = ${bind(companyId)})`
  const range = `${grams}.rowid between ${company()} << ${ROW_BITS} and ((${company()} + 1) << ${ROW_BITS}) - 1`
  return `select ${columnList(key, 'r.')} from ${grams} cross join ${rows} r on r.no = ${grams}.rowid where ${match} and ${range}`
}

/** An FTS5 query that requires all of the trigrams. */
function matchOf(part: string): string {
  return gramsOf(part)
    .map((gram) => `"${gram.replaceAll('"', '""')}"`)
    .join(' AND ')
}
