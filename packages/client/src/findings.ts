// The findings of a refused record, which comes back with `notificationMessages` in each object that failed.

/** What is wrong with one field. */
export interface Finding {
  /** A JSON pointer into the record as it was sent, such as `/contactPoints/0/address`; `PATCH` takes the same. */
  readonly path: string
  readonly code: number
  readonly message: string
}

/** All findings of a body, at any depth. */
export function findingsIn(body: unknown, path = ''): Finding[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) =>
    name === 'notificationMessages' ? findingsOf(value, path) : findingsIn(value, `${path}/${escaped(name)}`),
  )
}

function findingsOf(messages: unknown, path: string): Finding[] {
  return Object.entries(Object(messages)).flatMap(([field, all]) =>
    (Array.isArray(all) ? all : []).map(({ code, message }) => ({ path: `${path}/${escaped(field)}`, code, message })),
  )
}

/** RFC 6901, 3. */
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
