// Queries to every document, with the number of rows that a plan may visit for each row of the answer.

export interface PlanQuery {
  readonly document: string
  readonly filter?: string
  readonly orderBy?: string
  readonly select?: string
  readonly limit?: number
  readonly offset?: number
  /** States of ledger transactions. */
  readonly states?: readonly string[]
  readonly isCount?: boolean
  /** The maximum number of visited rows per answered or skipped row: in one large company, and in each of many. */
  readonly visits: readonly [one: number, many: number]
  /** The maximum on PostgreSQL, where it differs: its planner depends on statistics. */
  readonly postgres?: readonly [one: number, many: number]
}

const posted = ['posted']

export const PLAN_QUERIES: readonly PlanQuery[] = [
  // Attribute values
  { document: 'attribute-values', visits: [1, 1] },
  { document: 'attribute-values', offset: 150, visits: [1, 1] },
  { document: 'attribute-values', filter: "attributeId eq 'A1'", visits: [1, 1] },
  { document: 'attribute-values', filter: "attributeId eq 'A1' and attributeValue eq 'V100001'", visits: [1, 1] },
  {
    document: 'attribute-values',
    filter: "attributeId eq 'A1' and startswith(attributeValue,'V1001')",
    visits: [1, 1],
  },
  { document: 'attribute-values', filter: "attributeId eq 'A1' and attributeValue gt 'V100050'", visits: [1, 1] },
  { document: 'attribute-values', filter: "attributeId eq 'A1'", orderBy: 'attributeValue desc', visits: [1.1, 1.1] },
  { document: 'attribute-values', filter: "attributeId eq 'A1' and status eq 'N'", visits: [1.1, 1.1] },
  { document: 'attribute-values', filter: "attributeId eq 'A1' and status eq 'C'", visits: [1, 1] },
  { document: 'attribute-values', filter: "attributeId eq 'A1' and owner eq 'O11'", visits: [1, 1] },
  { document: 'attribute-values', filter: "attributeId eq 'A1' and description eq 'Project 7 of 7'", visits: [1, 1] },
  {
    document: 'attribute-values',
    filter: "attributeId eq 'A1' and startswith(description,'Project 7 ')",
    visits: [1, 1],
  },
  {
    document: 'attribute-values',
    filter: "attributeId eq 'A1'",
    orderBy: 'description',
    visits: [1, 1],
    // PostgreSQL also visits the row behind the last, which could start with the same text.
    postgres: [1.02, 1.02],
  },
  { document: 'attribute-values', filter: "attributeId eq 'A1' and contains(description,'7')", visits: [10, 10] },
  {
    document: 'attribute-values',
    filter: "attributeId eq 'A1'",
    isCount: true,
    visits: [1, 1],
    // Four of five rows are counted: PostgreSQL scans the table.
    postgres: [1.25, 1],
  },
  // Attribute relations
  { document: 'attribute-relations', visits: [1, 1] },
  { document: 'attribute-relations', filter: "attributeId eq 'A4' and attributeValue eq 'K10010'", visits: [1, 1] },
  { document: 'attribute-relations', filter: "relationValue eq 'R7'", visits: [1, 1] },
  { document: 'attribute-relations', filter: "relatedAttributeId eq 'A1' and relationValue eq 'R7'", visits: [1, 1] },
  {
    document: 'attribute-relations',
    filter: "startswith(relationValue,'R7')",
    orderBy: 'relationValue',
    visits: [1.1, 1.1],
  },
  { document: 'attribute-relations', filter: "relatedAttributeId eq 'A1'", visits: [3.5, 3.5] },
  // Customers
  { document: 'customers', visits: [1, 1] },
  { document: 'customers', filter: "customerId eq 'K10007'", visits: [1, 1] },
  { document: 'customers', filter: "customerId in ('K10007','K10009','K10050')", visits: [1, 1] },
  { document: 'customers', filter: "customerId ge 'K10050'", visits: [1, 1] },
  { document: 'customers', filter: "countryCode eq 'NO'", visits: [1, 1] },
  { document: 'customers', filter: "countryCode eq 'NO'", orderBy: 'customerName', visits: [1, 1] },
  { document: 'customers', filter: "countryCode eq 'NO'", orderBy: 'customerName desc', visits: [1.1, 1.1] },
  {
    document: 'customers',
    filter: "countryCode eq 'NO' and startswith(customerName,'A')",
    orderBy: 'customerName',
    select: 'customerId,countryCode[C;T]',
    visits: [1, 1],
  },
  { document: 'customers', filter: "countryCode eq 'NO' and contains(customerName,'7')", visits: [10, 20] },
  { document: 'customers', filter: "startswith(customerName,'AB')", visits: [1, 1] },
  { document: 'customers', orderBy: 'customerName', visits: [1, 1] },
  { document: 'customers', filter: "contains(customerName,'7')", orderBy: 'customerName', visits: [10, 10] },
  { document: 'customers', filter: "customerGroupId eq 'G3'", visits: [1, 1] },
  { document: 'customers', filter: "customerGroupId eq 'G3' and countryCode eq 'FI'", visits: [2.1, 2.1] },
  { document: 'customers', filter: "payment/status eq 'P'", visits: [1, 1] },
  {
    document: 'customers',
    filter: "payment/status eq 'N'",
    visits: [1.1, 1.1],
    // Without the value, PostgreSQL takes few to have it, and reads the hundred of a small company.
    postgres: [1.1, 2],
  },
  { document: 'customers', filter: "startswith(aliasName,'B')", orderBy: 'aliasName', visits: [1, 1] },
  { document: 'customers', filter: "companyRegistrationNumber eq '910000050'", visits: [1, 1] },
  { document: 'customers', filter: "externalReference eq 'X-50'", visits: [1, 1] },
  { document: 'customers', isCount: true, visits: [1, 1] },
  { document: 'customers', filter: "countryCode eq 'NO'", isCount: true, visits: [1, 1] },
  // The ledger
  { document: 'ledger', states: posted, visits: [1, 1] },
  { document: 'ledger', states: posted, offset: 200, visits: [1, 1] },
  { document: 'ledger', states: ['registered'], visits: [1, 1] },
  { document: 'ledger', states: ['historical', 'posted', 'registered'], visits: [1, 1] },
  { document: 'ledger', states: posted, filter: "accountingInformation/account eq '4107'", visits: [1, 1] },
  {
    document: 'ledger',
    states: posted,
    filter: "accountingInformation/account eq '4107' and period ge 202307",
    orderBy: 'transactionNumber',
    visits: [1, 1],
  },
  {
    document: 'ledger',
    states: posted,
    filter: "accountingInformation/account eq '4107' and period ge 202407",
    visits: [15, 4],
  },
  {
    document: 'ledger',
    states: posted,
    filter: "accountingInformation/account eq '4107' and period eq 202405",
    select: 'transactionNumber,accountingInformation(account[C;T]),customer(customerName)',
    visits: [1, 1],
  },
  {
    document: 'ledger',
    states: posted,
    filter: "accountingInformation/account eq '4107' and period ge 202403 and period le 202405",
    orderBy: 'period',
    visits: [1, 1],
  },
  {
    document: 'ledger',
    states: posted,
    filter: "accountingInformation/account eq '4107'",
    orderBy: 'transactionNumber desc',
    visits: [1.1, 1.1],
  },
  {
    document: 'ledger',
    states: ['posted', 'registered'],
    filter: "accountingInformation/account eq '4107'",
    limit: 2_000,
    visits: [1, 1],
  },
  { document: 'ledger', states: posted, filter: 'period eq 202405', visits: [1, 1] },
  { document: 'ledger', states: posted, filter: 'period ge 202401', orderBy: 'period', visits: [1, 1] },
  { document: 'ledger', states: posted, filter: "customerId eq 'K10030'", visits: [1, 1] },
  { document: 'ledger', states: posted, filter: "supplierId eq 'S20006'", visits: [1, 1] },
  { document: 'ledger', states: ['historical'], filter: 'transactionNumber eq 1080', visits: [1, 1] },
  { document: 'ledger', states: ['historical'], filter: 'transactionNumber ge 1050', visits: [1, 1] },
  { document: 'ledger', states: posted, filter: 'amounts/amount gt 100', visits: [1.3, 1.3] },
  { document: 'ledger', states: posted, isCount: true, visits: [1, 1] },
  { document: 'ledger', states: ['posted', 'registered'], isCount: true, visits: [1, 1] },
  {
    document: 'ledger',
    states: posted,
    filter: "accountingInformation/account eq '4107' and period ge 202401",
    isCount: true,
    visits: [1, 1],
  },
  // The archive
  { document: 'document-archive', visits: [1.2, 1.2] },
  { document: 'document-archive', filter: "id eq 'd100007'", visits: [1, 1] },
  { document: 'document-archive', filter: "docType eq 'T4'", visits: [1, 1] },
  { document: 'document-archive', filter: "docType eq 'T4'", orderBy: 'title', visits: [1, 1] },
  {
    document: 'document-archive',
    filter: "docType eq 'T4' and startswith(title,'Contract 1')",
    visits: [2.5, 1],
    postgres: [5, 2],
  },
  { document: 'document-archive', orderBy: 'lastUpdated/updatedAt desc', visits: [1, 1] },
  { document: 'document-archive', filter: "docType eq 'T4'", isCount: true, visits: [1, 1] },
  // Small documents, and a custom one
  {
    document: 'attributes',
    filter: "attributeName eq 'ATTRIBUTE7'",
    visits: [1, 1],
    // A table of one page is scanned completely. Its index ends with the name: the plan for all values, which must not
    // sort, goes by the key.
    postgres: [30, 30],
  },
  { document: 'attributes', visits: [1, 1] },
  { document: 'companies', visits: [1, 1], postgres: [1, 100] },
  { document: 'value-list', filter: "name eq 'LIST3' and language eq 'EN'", visits: [1, 1] },
  { document: 'value-list', filter: "name eq 'LIST3'", visits: [1, 1] },
  { document: 'orders', visits: [1, 1] },
  { document: 'orders', filter: 'orderNo ge 5020', visits: [1, 1] },
]
