// A record as it was answered, with what a program needs to change it safely.

export interface Stored<Body> {
  readonly record: Body
  /** For `ifMatch`, and for `ifNoneMatch` of a read; absent where nothing was stored (`validateOnly`). */
  readonly etag: string | undefined
  /** The address of a record that was created, from the root of the service. */
  readonly location: string | undefined
  /** Whether this is the kept answer to an earlier try with the same idempotency key. */
  readonly isReplay: boolean
  readonly requestId: string | undefined
}

export async function storedIn<Body>(answer: Response): Promise<Stored<Body>> {
  const { headers } = answer
  const text = await answer.text()
  return {
    // A deletion is answered without a body.
    record: (text === '' ? undefined : JSON.parse(text)) as Body,
    etag: headers.get('etag') ?? undefined,
    location: headers.get('location') ?? undefined,
    isReplay: headers.get('idempotency-replayed') === 'true',
    requestId: headers.get('x-request-id') ?? undefined,
  }
}
