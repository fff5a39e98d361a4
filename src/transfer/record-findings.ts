// Findings for rows that are imported under the rules of a resource.

import { Problem, type ProblemPart } from '../errors/problem.ts'
import { fieldName } from '../model/read-record.ts'
import { requireJournalRoom } from '../records/shared/quotas.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { Tx } from '../store/store.ts'
import type { RowReader } from './row-reader.ts'
import type { ReadableRow, RowFinding } from './rows/read-rows.ts'

const SERVER_ERROR = 500

/** Checks the company and the names of a record, before its resource reads it. */
export function recordFindings(reader: RowReader, { record }: ReadableRow): readonly RowFinding[] {
  const companyFinding = reader.companyFinding(record)
  return [...(companyFinding ? [companyFinding] : []), ...reader.unknownIn(record)]
}

/** Why the company takes no rows, when its journal has reached its quota. */
export function quotaFindings(company: CompanyRules, tx: Tx): readonly RowFinding[] | undefined {
  try {
    requireJournalRoom(company, tx)
    return undefined
  } catch (error) {
    return messagesOf(error)
  }
}

/** What a refusal says. Anything else that was thrown goes on, also that the store takes no writes now. */
export function messagesOf(error: unknown): readonly RowFinding[] {
  if (!(error instanceof Problem) || error.status >= SERVER_ERROR) throw error
  return flatMessages(error.body, error.parts)
}

/** The messages of an error response with the paths of their fields, those that it joins to one, or its single one. */
export function flatMessages(body: object, parts: readonly ProblemPart[] = []): readonly RowFinding[] {
  const findings = [...findingsIn(body, '')]
  if (findings.length > 0) return findings
  const joined = parts.flatMap(({ path, code, message }) => (path ? findingOf(fieldName(path), message, code) : []))
  if (joined.length > 0) return joined
  const { code, message } = body as { code?: unknown; message?: unknown }
  return [findingOf('', String(message ?? JSON.stringify(body)), code)]
}

function findingOf(column: string, message: string, code: unknown): RowFinding {
  return { column, message, ...(typeof code === 'number' ? { code } : {}) }
}

function* findingsIn(part: unknown, path: string): Generator<RowFinding> {
  if (typeof part !== 'object' || part === null) return
  for (const [name, value] of Object.entries(part)) {
    const memberPath = Array.isArray(part) ? `${path.slice(0, -1)}[${name}]` : path + name
    if (name !== 'notificationMessages') yield* findingsIn(value, `${memberPath}.`)
    else {
      for (const [field, messages] of Object.entries(value as Record<string, { code: number; message: string }[]>)) {
        for (const { code, message } of messages) yield { column: path + field, message, code }
      }
    }
  }
}
