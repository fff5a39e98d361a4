// A request whose answer is shown in the API description.
export interface Asked {
  readonly name: string
  /** Method and address: those of the operation, where they are left out. */
  readonly method?: string
  readonly url?: string
  /** A client of the demo, or nobody. */
  readonly as?: 'demo' | 'demo-reader' | 'nobody'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Operation -> what is asked, in this order. */
export type AskedTable = Readonly<Record<string, readonly Asked[]>>

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
/** A key that the first request of all is sent with. */
export const KEYED = { 'idempotency-key': 'rental-2095' }
export const LARGE = 'x'.repeat(1_100_000)

/** Stands for the tag that the first answer had. */
export const FIRST_ETAG = '{first etag}'
