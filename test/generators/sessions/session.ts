/** What a session has been answered, in the order of the tutorial's calls. */
export interface Session {
  readonly token: string
  readonly costCentres: unknown
  readonly ledger: unknown
  readonly costCentre: unknown
  readonly created: unknown
  readonly refused: unknown
  readonly changed: unknown
  readonly supplier: unknown
  readonly debts: unknown
  readonly rate: unknown
  readonly contracts: unknown
  /** How the PDF of the lease begins. */
  readonly lease: string
  /** Beside the tutorial: a customer with custom fields, then what is asked of it. */
  readonly customer: { readonly name: string | undefined; readonly country: string | undefined; readonly zone: unknown }
}

/** Each client makes a cost centre, a supplier and a customer of its own. */
export interface Options {
  readonly address: string
  readonly newValue: string
  readonly newSupplier: string
}
