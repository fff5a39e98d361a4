// What the ERP answers when it does not do what it is asked.

/** Without a stack: a simulation has thousands of them, and stacks take longer than answers. */
export class Refusal {
  readonly name = 'Refusal'
  readonly message: string
  readonly status: number
  readonly body: object
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: object, headers: Readonly<Record<string, string>> = {}) {
    this.message = JSON.stringify(body)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export function coded(status: number, code: number, message: string, headers?: Record<string, string>): Refusal {
  return new Refusal(status, { code, message }, headers)
}

export const invalidQuery = (message: string) => coded(400, 1020, message)

export const invalidToken = () =>
  new Refusal(401, { statusCode: 401, message: 'Invalid JWT.' }, { 'WWW-Authenticate': 'Bearer' })

export const notAuthorised = (word = 'authorised.') => coded(403, 2030, `User is not ${word}`)

export function notFound(parts: Readonly<Record<string, unknown>>): Refusal {
  const named = Object.entries(parts).map(([name, value]) => `${name}: ${value}`)
  return coded(404, 1040, `The entity of the following parameters [${named.join(', ')}] was not found.`)
}

/** A mistake at a field: the resource as it was sent, with the field marked. */
export function atField(status: number, sent: object, field: string, code: number, message: string): Refusal {
  return new Refusal(status, { ...sent, notificationMessages: { [field]: [{ code, message }] } })
}
