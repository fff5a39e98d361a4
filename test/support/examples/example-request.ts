// A request whose answer is shown in the API description.
export interface ExampleRequest {
  readonly name: string
  /** Method and address; by default those of the operation. */
  readonly method?: string
  readonly url?: string
  /** A client of the demo, its agent, or no client. */
  readonly as?: 'demo' | 'demo-reader' | 'demo-agent' | 'nobody'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Operation -> its requests, in this order. */
export type ExampleRequests = Readonly<Record<string, readonly ExampleRequest[]>>

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
/** The key of the very first request. */
export const KEYED = { 'idempotency-key': 'rental-2095' }
export const LARGE = 'x'.repeat(1_100_000)

/** A placeholder for the tag of the first answer. */
export const FIRST_ETAG = '{first etag}'

/** Requests for the history of a record. */
export const historyOf = (operation: string, url: string, missing: string): ExampleRequests => ({
  [`GET ${operation}/history`]: [
    { name: 'The last change', url: `${url}/history?limit=1` },
    { name: 'No limit of 0', url: `${url}/history?limit=0` },
    { name: 'No token', url: `${url}/history`, as: 'nobody' },
    { name: 'A company of others', url: `${url}/history?companyId=XX` },
    { name: 'No such record', url: `${missing}/history` },
  ],
})
