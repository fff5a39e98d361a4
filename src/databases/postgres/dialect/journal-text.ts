// The change log for queries: the SQL function that decompresses texts (lz77.ts describes their format) and the view.

import { type JournalSql, journalView } from '../../../sql/schema.ts'
import { DAMAGED, NO_INSTANT } from '../../../store/chain/packed-entry.ts'

export const postgresJournal: JournalSql = {
  text: (packed, dictionary, prefix) => {
    const bytes = prefix === undefined ? `''::bytea` : `journal_text(${prefix}, ${dictionary}, ''::bytea)`
    return `(case when length(${packed}) = 0 then '' else
      convert_from(journal_text(${packed}, ${dictionary}, ${bytes}), 'UTF8') end collate "C")`
  },
  hex: (bytes) => `(encode(${bytes}, 'hex') collate "C")`,
  instant: (milliseconds) =>
    `((case when ${milliseconds} = ${NO_INSTANT} then '' else to_char(timestamp '1970-01-01'
      + ${milliseconds} * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end) collate "C")`,
}

/** Reads a variable-length number into a variable, from position `pos` on. */
const readNumber = (into: string) => `
      ${into} := 0;
      shift := 0;
      loop
        if pos >= size or shift > 21 then return damaged; end if;
        part := get_byte(packed, pos);
        pos := pos + 1;
        ${into} := ${into} | ((part & 127) << shift);
        exit when part < 128;
        shift := shift + 7;
      end loop;`

const JOURNAL_TEXT = `
create function journal_text(packed bytea, dictionary bytea, prefix bytea) returns bytea
language plpgsql immutable parallel safe as $$
declare
  damaged constant bytea := convert_to('${DAMAGED}', 'UTF8');
  size constant int := length(packed);
  known constant bytea := coalesce(dictionary, '') || prefix;
  known_size constant int := length(known);
  made bytea := '';
  made_size int := 0;
  expected int := case when length(prefix) = 0 then 0 else length(coalesce(dictionary, '')) end;
  pos int := 0;
  token int;
  literals int;
  more int;
  wanted int;
  step int;
  part int;
  shift int;
begin
  while pos < size loop
    token := get_byte(packed, pos);
    pos := pos + 1;
    literals := token >> 5;
    if literals = 7 then${readNumber('more')}
      literals := literals + more;
    end if;
    if literals > size - pos then return damaged; end if;
    if literals > 0 then
      made := made || substring(packed from pos + 1 for literals);
      made_size := made_size + literals;
      pos := pos + literals;
    end if;
    exit when pos = size and (token & 31) = 0;
    wanted := (token & 15) + 3;
    if wanted = 18 then${readNumber('more')}
      wanted := wanted + more;
    end if;
    if (token & 16) = 0 then${readNumber('more')}
      expected := expected + case when more & 1 = 1 then -(more >> 1) else more >> 1 end;
    end if;
    if expected < 0 or wanted > 67108864 - made_size then return damaged; end if;
    while wanted > 0 loop
      if expected < known_size then
        step := least(wanted, known_size - expected);
        made := made || substring(known from expected + 1 for step);
      else
        step := least(wanted, known_size + made_size - expected);
        if step <= 0 then return damaged; end if;
        made := made || substring(made from expected - known_size + 1 for step);
      end if;
      made_size := made_size + step;
      expected := expected + step;
      wanted := wanted - step;
    end loop;
  end loop;
  return made;
end
$$`

/**
 * The view runs with the rights of the caller; before version 15 with those of its owner, to whom row-level security
 * applies too.
 */
const SECURITY = `
do $$
begin
  if current_setting('server_version_num')::int >= 150000 then
    alter view audit_entry set (security_invoker = true);
  end if;
end
$$`

export const JOURNAL_VIEW = [JOURNAL_TEXT, `create view ${journalView(postgresJournal)}`, SECURITY]
