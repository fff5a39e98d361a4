// Row-level security as a second line of defence: even a statement without a company predicate only accesses the
// company that its transaction is bound to, and in a transaction that is bound to none it fails.

/** The setting of a transaction that names its company. */
const BOUND_COMPANY = 'tabularium.bound_company'
/** Its value for rows of no company. The id of a company neither begins nor ends with a blank. */
const NO_COMPANY = ' '
/** The setting of a whole session, for roles that read reports. */
const COMPANY_OF_SESSION = 'tabularium.company'

const boundValue = (companyId: string): string => (companyId === '' ? NO_COMPANY : companyId)

/** The statement that binds a transaction to a company. `literalOf` quotes a text. */
export function bindingOf(companyId: string, literalOf: (text: string) => string): string {
  return `set local ${BOUND_COMPANY} = ${literalOf(boundValue(companyId))}`
}

/** The same as an expression of a query, which binds the rest of the transaction on the server that computes it. */
export function bindingSetting(companyId: string, literalOf: (text: string) => string): string {
  return `set_config('${BOUND_COMPANY}', ${literalOf(boundValue(companyId))}, true)`
}

/**
 * The setting that names the company. One that a transaction has had is an empty text after it, so that is no company.
 * It is chosen before it is read: a distributed database reads every setting that a policy names, in each branch.
 */
const SETTING = `case coalesce(current_setting('${BOUND_COMPANY}', true), '')
  when '' then '${COMPANY_OF_SESSION}' else '${BOUND_COMPANY}' end`

/**
 * Reading a setting that was never made is an error, which is better than an empty table. It is read once: that of each
 * table of a statement is computed for every execution.
 */
const IS_OWN_COMPANY = `company_id = rtrim(current_setting(${SETTING}))`

const POLICY = `using (${IS_OWN_COMPANY}) with check (${IS_OWN_COMPANY})`

/** The statements that guard a new table. The owner is limited too until a role of the service's own is named. */
export function rowLevelSecurity(table: string): string[] {
  return [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy own_company on ${table} ${POLICY}`,
  ]
}

/** Brings the policy of a table that is guarded already to the form of new ones. */
export function renewedPolicy(table: string): string {
  return `alter policy own_company on ${table} ${POLICY}`
}
