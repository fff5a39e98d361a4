import type { RowFinding } from './row-reader.ts'

/** The messages of an error response with the paths of their fields, or its single message. */
export function flatMessages(body: object): readonly RowFinding[] {
  const findings = [...findingsIn(body, '')]
  if (findings.length > 0) return findings
  const { message } = body as { message?: unknown }
  return [{ column: '', message: String(message ?? JSON.stringify(body)) }]
}

function* findingsIn(part: unknown, path: string): Generator<RowFinding> {
  if (typeof part !== 'object' || part === null) return
  for (const [name, value] of Object.entries(part)) {
    const memberPath = Array.isArray(part) ? `${path.slice(0, -1)}[${name}]` : path + name
    if (name !== 'notificationMessages') yield* findingsIn(value, `${memberPath}.`)
    else {
      for (const [field, messages] of Object.entries(value as Record<string, { message: string }[]>)) {
        for (const { message } of messages) yield { column: path + field, message }
      }
    }
  }
}
