// A request as the client's parts send it.

export type QueryValue = string | number | boolean | Date | null | undefined

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, with its waiting and its retries. */
  readonly signal?: AbortSignal | undefined
  /** For the whole call with its retries; of a stream until it begins. 0: no limit. */
  readonly timeoutMs?: number | undefined
  /** In the place of the client's own. */
  readonly company?: string | undefined
}

/** Options of every write. */
export interface WriteOptions extends CallOptions {
  /** Checks the write completely and answers as it would; nothing is stored. */
  readonly validateOnly?: boolean | undefined
  /** The client makes a key for each write. Give your own to repeat it after a restart; `false` sends none. */
  readonly idempotencyKey?: string | false | undefined
}

/** Options of writes of a record that exists. */
export interface ChangeOptions extends WriteOptions {
  /** The tag answered with the record: if it has another one now, a `ConflictProblem` says who changed what. */
  readonly ifMatch?: string | undefined
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** What `fetch` takes. */
export type SentBody = NonNullable<RequestInit['body']>

/** A body that can be sent again. */
export interface RepeatableBody {
  readonly contentType: string
  /** Called for each try. */
  readonly make: () => SentBody
}

export interface ClientRequest extends ChangeOptions {
  readonly method?: Method
  /** From the address of the service, such as `/v1/customers`; what it contains is sent as it is. */
  readonly path: string
  /** Without those that are undefined or null. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Texts and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
  readonly repeatableBody?: RepeatableBody | undefined
  /** The answer's body is read by the caller, as it comes. Such a request is not repeated once the answer has begun. */
  readonly streams?: boolean
}

/** Sends requests, with their token, until one is answered. */
export interface Transport {
  /** A complete answer of 2xx or 304; throws a `Problem` for every other one. */
  send(request: ClientRequest): Promise<Response>
  /** The answer at an address that the service has answered, such as that of a `Link`. */
  follow(link: string, request: Omit<ClientRequest, 'path' | 'query' | 'company'>): Promise<Response>
  /** Later reads have this write of a batch. */
  wroteInBatch(
    operation: { readonly url: string; readonly body?: unknown },
    headers: Readonly<Record<string, string>> | undefined,
  ): void
}
