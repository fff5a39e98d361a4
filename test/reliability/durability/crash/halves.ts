// Queries for incomplete records of the crash tests, in one text for both databases. Only rows written after a journal
// entry are checked, so that the queries can run after each of hundreds of kills.

interface Table {
  readonly table: string
  readonly entity: string
  /** The key of a row as the journal writes it. */
  readonly key: string
  /** A condition, where not all rows of the table are records. */
  readonly where?: string
}

const TABLES: readonly Table[] = [
  {
    table: 'attribute_value',
    entity: 'attribute-value',
    key: keyOf('attribute_id', 'attribute_value', '#period_from'),
  },
  {
    table: 'attribute_relation',
    entity: 'attribute-relation',
    key: keyOf('attribute_id', 'attribute_value', 'related_attribute_id', 'relation_value'),
  },
  { table: 'customer', entity: 'customer', key: keyOf('customer_id') },
  { table: 'document', entity: 'document', key: keyOf('document_id') },
]

/** Queries that must return no rows. */
export function halvesSince(entryNo: number): readonly string[] {
  return [
    ...TABLES.flatMap((table) => [rowsWithoutEntry(table, entryNo), entriesWithoutRow(table, entryNo)]),
    ...RELATED.map((text) => `${text} and v.change_no > ${entryNo}`),
    `${HALF_DOCUMENTS} and change_no > ${entryNo}`,
    ...['index', 'revision', 'text'].map(
      (part) => `select document_id from document_${part} except select document_id from document`,
    ),
    `select record_key from audit_entry where entity = 'document-revision' and entry_no > ${entryNo}
      except select ${keyOf('document_id', '#revision_no')} from document_revision where revision_no > 1`,
    `select c.company_id from journal_counter c join audit_entry j on j.company_id = c.company_id
      group by c.company_id, c.last_entry, c.head_no, c.entry_count
      having max(j.entry_no) > c.last_entry or max(j.entry_no) <> c.head_no or count(*) <> c.entry_count`,
  ]
}

/** The contents that rows written after an entry refer to. */
export const referredSince = (entryNo: number): string =>
  `select distinct r.file_hash, r.doc_size from document_revision r join document d
    on d.company_id = r.company_id and d.document_id = r.document_id and d.change_no > ${entryNo}`

export const LAST_ENTRY = `select last_entry from journal_counter where company_id = 'EN'`

/** A number is concatenated as it is. */
function keyOf(...columns: readonly string[]): string {
  const parts = columns.map((name) =>
    name.startsWith('#') ? `cast(${name.slice(1)} as text)` : `'"' || ${name} || '"'`,
  )
  return `'[' || ${parts.join(` || ',' || `)} || ']'`
}

function rowsWithoutEntry({ table, entity, key }: Table, entryNo: number): string {
  return `select ${key} from ${table} where company_id = 'EN' and change_no > ${entryNo}
    except select record_key from audit_entry where company_id = 'EN' and entity = '${entity}' and operation = 'create'`
}

function entriesWithoutRow({ table, entity, key }: Table, entryNo: number): string {
  return `select record_key from audit_entry where company_id = 'EN' and entity = '${entity}' and operation = 'create'
      and entry_no > ${entryNo} and record_key not in
        (select gone.record_key from audit_entry gone where gone.company_id = 'EN' and gone.operation = 'delete')
    except select ${key} from ${table} where company_id = 'EN'`
}

const relationsOf = (attributeId: string, name: string): string =>
  `(select count(*) from attribute_relation r where r.company_id = v.company_id and r.attribute_id = '${attributeId}'
    and r.attribute_value = v.${name})`

/** Each value of the clients has one department, each customer one region and one value of its own. */
const RELATED = [
  `select v.attribute_value from attribute_value v where v.attribute_id = 'C1' and v.attribute_value <> 'CC100'
    and ${relationsOf('C1', 'attribute_value')} <> 1`,
  `select v.customer_id from customer v where (${relationsOf('A4', 'customer_id')} <> 1 or not exists
    (select 1 from attribute_value a where a.company_id = v.company_id and a.attribute_id = 'A4'
      and a.attribute_value = v.customer_id))`,
]

const ofDocument = (table: string, more = ''): string =>
  `(select count(*) from document_${table} x where x.company_id = d.company_id and x.document_id = d.document_id ${more})`

/** Documents without an index, a revision or a search entry, or with a partial change. */
const HALF_DOCUMENTS = `
  select * from (select d.document_id, d.doc_type, d.revision_no, d.change_no, ${ofDocument('index')} as indexes,
    ${ofDocument('revision')} as revisions, ${ofDocument('revision', 'and x.revision_no > d.revision_no')} as later,
    ${ofDocument('revision', 'and x.revision_no = d.revision_no and x.file_hash = d.file_hash and x.doc_size = d.doc_size')} as newest,
    ${ofDocument('text')} as texts,
    ${ofDocument('index', 'and x.sequence_no = 3 and x.index_value <> d.description')} as torn
    from document d) counted
  where (indexes <> case doc_type when 'INVOICE' then 3 else 0 end or revisions <> revision_no or later <> 0
    or newest <> 1 or texts <> 1 or torn <> 0)`
