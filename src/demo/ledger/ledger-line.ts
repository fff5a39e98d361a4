/** One line of a voucher in the general ledger. */
export interface LedgerLine {
  transactionNumber: number
  sequenceNumber: number
  state: LedgerState
  status: LedgerStatus
  transactionType: string
  transactionDate: string
  period: number
  description: string
  externalReference: string
  /** Set on lines of customer invoices, credit notes and receipts; '' elsewhere. */
  customerId: string
  accountingInformation: AccountingInformation
  amounts: { amount: number; currencyAmount: number; currencyCode: string; debitCredit: 1 | -1 }
}

export type LedgerState = 'registered' | 'posted' | 'historical'
export type LedgerStatus = 'N' | 'P' | 'C'

/** The account and seven attribute positions; '' in unused positions. */
export interface AccountingInformation {
  account: string
  attributeId1: string
  attributeValue1: string
  attributeId2: string
  attributeValue2: string
  attributeId3: string
  attributeValue3: string
  attributeId4: string
  attributeValue4: string
  attributeId5: string
  attributeValue5: string
  attributeId6: string
  attributeValue6: string
  attributeId7: string
  attributeValue7: string
}

/** The attribute values of a line besides its account. */
export interface Coding {
  readonly costCentre?: string
  /** Project and department share a position. */
  readonly project?: string
  readonly department?: string
  /** Employee and wage type share a position. */
  readonly employee?: string
  readonly wageType?: string
  /** Customer and supplier share a position. */
  readonly customer?: string
  readonly supplier?: string
  readonly item?: string
  readonly asset?: string
  readonly tax?: string
}

/** Every attribute has a fixed position, so that positions of different lines are comparable. */
export function accountingOf(account: string, coding: Coding): AccountingInformation {
  const { costCentre = '', project = '', department = '', employee = '', wageType = '' } = coding
  const { customer = '', supplier = '', item = '', asset = '', tax = '' } = coding
  return {
    account,
    attributeId1: costCentre && 'C1',
    attributeValue1: costCentre,
    attributeId2: project ? 'C5' : department && 'C2',
    attributeValue2: project || department,
    attributeId3: employee ? 'RE' : wageType && 'WT',
    attributeValue3: employee || wageType,
    attributeId4: customer ? 'A4' : supplier && 'A6',
    attributeValue4: customer || supplier,
    attributeId5: item && 'IT',
    attributeValue5: item,
    attributeId6: asset && 'AS',
    attributeValue6: asset,
    attributeId7: tax && 'TX',
    attributeValue7: tax,
  }
}
