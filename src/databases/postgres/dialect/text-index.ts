// The text index of a column: hashes of the company with each trigram of a text, in a separate table with a GIN index,
// maintained by a trigger. The table is separate because row-level security would prevent the use of the index on the
// document's table. It holds only keys and hashes; the rows found are read from the guarded table.
import type pg from 'pg'
import type { TextIndex } from '../../../model/document.ts'
import type { BoundValue } from '../../../query/bound-value.ts'
import { columnList, quote } from '../../../sql/dialect.ts'
import { GRAM_LENGTH, gramsOf, type SearchedText } from '../../../sql/setup-index.ts'

type Session = Pick<pg.Client, 'query'>

/** The number of rows indexed by one transaction, for whose end a write of one of them waits. */
const ROWS_AT_ONCE = 2_000

/** The distinct hashes of the trigrams of a text, each with the company. */
const GRAM_FUNCTIONS = `
  create or replace function setup_text_hash(company text, gram text) returns integer
    language sql immutable strict parallel safe return hashtext(company || chr(1) || gram);
  create or replace function setup_text_grams(company text, value text) returns integer[]
    language sql immutable strict parallel safe as $$
      select coalesce(array_agg(distinct setup_text_hash(company, one || two || three)), '{}')
      from (
        select c as one, lead(c, 1) over by_place as two, lead(c, 2) over by_place as three
        from unnest(string_to_array(value, null)) with ordinality as characters(c, place)
        window by_place as (order by place)) found
      where three is not null $$`

/** The name of the GIN index. The text index is complete when this one is valid. */
function gramIndexOf(name: string): string {
  return `${name}_grams`
}

/** Creates the text index; removes the remains of an earlier attempt first. */
export async function createTextIndex(session: Session, index: SearchedText): Promise<void> {
  const { name, table, company, key } = index
  await dropTextIndex(session, name)
  await session.query(GRAM_FUNCTIONS)
  const columns = [company, ...key]
  const own = quote(name)
  await session.query(
    `create table ${own} as select ${columnList(columns)}, '{}'::integer[] as grams from ${quote(table)} with no data`,
  )
  await session.query(`alter table ${own} add primary key (${columnList(columns)})`)
  await session.query(triggerOf(index))
  for (const companyId of await companiesOf(session)) await fill(session, index, companyId)
  await session.query(`create index concurrently ${quote(gramIndexOf(name))} on ${own} using gin (grams)`)
  await session.query(`analyze ${own}`)
}

export async function dropTextIndex(session: Session, name: string): Promise<void> {
  // Cascades to the trigger that calls it.
  await session.query(`drop function if exists ${quote(`${name}_step`)}() cascade`)
  await session.query(`drop table if exists ${quote(name)}`)
}

function triggerOf({ name, table, company, key, column }: SearchedText): string {
  const columns = [company, ...key]
  const [own, step] = [quote(name), quote(`${name}_step`)]
  const same = [...columns, column].map((one) => `old.${quote(one)} = new.${quote(one)}`).join(' and ')
  const old = columns.map((one) => `${quote(one)} = old.${quote(one)}`).join(' and ')
  return `
    create function ${step}() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and ${same} then return null; end if;
      if tg_op <> 'INSERT' then delete from ${own} where ${old}; end if;
      if tg_op <> 'DELETE' and length(new.${quote(column)}) >= ${GRAM_LENGTH} then
        insert into ${own} (${columnList(columns)}, grams)
          values (${columnList(columns, 'new.')}, setup_text_grams(new.${quote(company)}, new.${quote(column)}))
          on conflict (${columnList(columns)}) do update set grams = excluded.grams;
      end if;
      return null;
    end $$;
    create trigger ${step} after insert or delete or update of ${columnList([...columns, column])} on ${quote(table)}
      for each row execute function ${step}()`
}

/** Indexes existing rows in pages, in the order of the key. Rows written meanwhile are indexed by the trigger. */
async function fill(
  session: Session,
  { name, table, company, key, column }: SearchedText,
  companyId: string,
): Promise<void> {
  const columns = [company, ...key]
  await session.query(`select set_config('tabularium.company', $1, false)`, [companyId])
  for (let after: unknown[] = []; ; ) {
    const placeholders = after.map((_value, at) => `$${at + 2}`)
    const isAfter = after.length === 0 ? '' : `and (${columnList(key)}) > (${placeholders.join(', ')})`
    const { rows } = await session.query({
      text: `with page as materialized (
          select ${columnList([...columns, column])} from ${quote(table)} where ${quote(company)} = $1 ${isAfter}
          order by ${columnList(key)} limit ${ROWS_AT_ONCE}),
        put as (insert into ${quote(name)} (${columnList(columns)}, grams)
          select ${columnList(columns)}, setup_text_grams(${quote(company)}, ${quote(column)}) from page
          where length(${quote(column)}) >= ${GRAM_LENGTH} on conflict do nothing)
        select ${columnList(key)} from page order by ${key.map((one) => `${quote(one)} desc`).join(', ')} limit 1`,
      values: [companyId, ...after],
      rowMode: 'array',
    })
    if (rows.length === 0) return
    after = rows[0] as unknown[]
  }
}

async function companiesOf(session: Session): Promise<string[]> {
  const { rows } = await session.query<{ id: string }>(`select id from setup_item where kind = 'company' order by id`)
  return rows.map(({ id }) => id)
}

/** Selects the keys of a company's rows whose text contains the trigrams that cover `part`. */
export function rowsWith(
  { name, key }: TextIndex,
  companyId: string,
  part: BoundValue,
  bind: (value: string | BoundValue) => string,
): string {
  const company = bind(companyId)
  const count = part.ask((text) => gramsOf(String(text)).length)
  const hashes = Array.from({ length: count }, (_gram, at) => {
    const gram = part.to((text) => gramsOf(String(text))[at] ?? '')
    return `setup_text_hash(${company}, ${bind(gram)})`
  })
  return `select ${columnList(key)} from ${quote(name)} where grams @> array[${hashes.join(', ')}]`
}
