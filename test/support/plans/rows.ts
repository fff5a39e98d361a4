// Rows for every document in two shapes: one company with many, and many companies with a few each. The database
// generates them, with statements that both engines understand.

export interface Shape {
  readonly name: string
  readonly companies: number
  /** Ledger lines in each company; other documents have a fraction of it. */
  readonly lines: number
}

export const SHAPES: readonly Shape[] = [
  { name: 'one company with 100,000 ledger lines', companies: 1, lines: 100_000 },
  { name: '100 companies with 1,000 ledger lines', companies: 100, lines: 1_000 },
]

/** A company in the middle of the others. */
export const companyOf = ({ companies }: Shape): string => `M${Math.floor(companies / 2)}`

const letter = (sql: string): string => `substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1 + ${sql} % 26, 1)`

/** For each table: the number of rows in each company, and its columns by the row number `i`. */
function columnsOf({
  lines,
}: Shape): Readonly<Record<string, { count: number; columns: Readonly<Record<string, string>> }>> {
  const customers = lines / 10
  return {
    company: { count: 1, columns: { name: "'Company'", language: "'EN'" } },
    attribute: {
      count: 30,
      columns: { attribute_id: "'A' || i", name: "'ATTRIBUTE' || i", owner_attribute_id: "'A' || (i + 1)" },
    },
    value_list: {
      count: 400,
      columns: {
        name: "'LIST' || (i / 40)",
        language: "substr('ENNO', 1 + 2 * (i % 2), 2)",
        code: "'C' || (i / 2)",
        title: "'Code ' || i",
        number: 'i',
      },
    },
    ledger_transaction: {
      count: lines,
      columns: {
        transaction_number: '1000 + i / 5',
        sequence_number: '1 + i % 5',
        // Old lines come first; lines that are not posted yet are rare.
        state: `case when i < ${lines / 2} then 'historical' when i < ${lines - lines / 50} then 'posted' else 'registered' end`,
        status: "'N'",
        period: `(2022 + i * 3 / ${lines}) * 100 + 1 + (i * 36 / ${lines}) % 12`,
        account: "'4' || (100 + i * 7 % 50)",
        customer_id: `case when i % 4 = 0 then 'K' || (10000 + i / 4 % ${customers}) else '' end`,
        supplier_id: `case when i % 5 = 2 then 'S' || (20000 + i / 5 % ${customers / 10}) else '' end`,
        description: "'Line ' || i",
        // SQLite stores units of the last of four digits behind the point.
        amount: 'i * 37 % 1000 * 10000',
        currency_code: "substr('NOKSEKEUR', 1 + 3 * (i % 3), 3)",
      },
    },
    customer: {
      count: customers,
      columns: {
        customer_id: "'K' || (10000 + i)",
        attribute_id: "'A4'",
        customer_name: `${letter('i')} || ${letter('(i / 26)')} || ' Trading ' || i`,
        alias_name: `case when i % 3 = 0 then ${letter('(i / 3)')} || i else '' end`,
        company_registration_number: "case when i % 2 = 0 then '9' || (10000000 + i) else '' end",
        country_code: "substr('NOSEDKFIDEGBFRNL', 1 + 2 * (i % 8), 2)",
        customer_group_id: "'G' || (i % 20)",
        external_reference: "case when i % 5 = 0 then 'X-' || i else '' end",
        status: "case when i % 50 = 0 then 'C' when i % 50 = 1 then 'P' else 'N' end",
      },
    },
    attribute_value: {
      count: lines / 5,
      columns: {
        attribute_id: "case when i % 5 = 0 then 'A2' else 'A1' end",
        attribute_value: "'V' || (100000 + i)",
        period_to: '209912',
        description: "'Project ' || (i % 500) || ' of ' || i",
        owner: "case when i % 10 = 1 then 'O' || (i % 40) else '' end",
        status: "case when i % 50 = 1 then 'C' else 'N' end",
      },
    },
    attribute_relation: {
      count: lines / 10,
      columns: {
        attribute_id: "'A4'",
        attribute_value: `'K' || (10000 + i)`,
        related_attribute_id: "'A' || (i % 3)",
        relation_value: "'R' || (i % 200)",
        relation_id: "'REL'",
      },
    },
    document: {
      count: lines / 20,
      columns: {
        document_id: `'d' || (100000 + i * 7919 % ${lines / 20})`,
        doc_type: "'T' || (i % 10)",
        title: "'Contract ' || i",
        title_key: "'contract ' || i",
        status: "case when i % 100 = 99 then 'T' else 'N' end",
        is_deleted: 'case when i % 100 = 99 then 1 else 0 end',
        updated_at: "(2000 + i % 25) || '-01-01T00:00:00.000Z'",
      },
    },
    document_index: {
      count: lines / 20,
      columns: {
        document_id: `'d' || (100000 + i * 7919 % ${lines / 20})`,
        sequence_no: '1',
        index_value: "'I' || (i % 100)",
        index_key: "'i' || (i % 100)",
      },
    },
    own_orders: {
      count: lines / 20,
      columns: { order_no: '5000 + i', customer_id: "'K' || (10000 + i % 10)" },
    },
  }
}

/** `company`: the company of the inserted rows. */
export function insertsOf(shape: Shape, company: string): string[] {
  return Object.entries(columnsOf(shape)).map(([table, { count, columns }]) => {
    const numbers = `(with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n) n`
    const names = ['company_id', ...Object.keys(columns)].join(', ')
    return `insert into ${table} (${names}) select '${company}', ${Object.values(columns).join(', ')} from ${numbers}`
  })
}

export const companiesOf = ({ companies }: Shape): string[] => Array.from({ length: companies }, (_, at) => `M${at}`)
