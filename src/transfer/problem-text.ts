import type { RowFinding } from './row-reader.ts'

/** Every finding of a refusal with the path of its field, or the one message that it has. */
export function flatMessages(body: object): readonly RowFinding[] {
  const findings = [...findingsIn(body, '')]
  if (findings.length > 0) return findings
  const { message } = body as { message?: unknown }
  return [{ column: '', message: String(message ?? JSON.stringify(body)) }]
}

function* findingsIn(part: unknown, path: string): Generator<RowFinding> {
  if (typeof part !== 'object' || part === null) return
  for (const [name, value] of Object.entries(part)) {
    const place = Array.isArray(part) ? `${path.slice(0, -1)}[${name}]` : path + name
    if (name !== 'notificationMessages') yield* findingsIn(value, `${place}.`)
    else {
      for (const [field, messages] of Object.entries(value as Record<string, { message: string }[]>)) {
        for (const { message } of messages) yield { column: path + field, message }
      }
    }
  }
}
