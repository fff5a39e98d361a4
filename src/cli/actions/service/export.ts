// Records of a running service, as `export` writes those of a database.
import { createClient } from '#client'
import { STATES } from '../../../objects/ledger-state-names.ts'
import { writeExport } from '../../../transfer/export-file.ts'
import type { ServiceCredentials } from '../../settings/logins.ts'
import { badUsage } from '../../terminal/bad-usage.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { ExportSettings } from '../records/export.ts'
import { outputFormatOf } from '../records/file-formats.ts'
import { answersTo, decodedBody } from './answers.ts'
import { asking } from './asking.ts'
import { csvOf } from './query.ts'

/** A file is replaced when it is complete. */
export async function exportFrom(
  credentials: ServiceCredentials,
  document: string,
  file: string | undefined,
  { company, filter, select, format = outputFormatOf(file) }: ExportSettings,
  { stdout, stderr }: Terminal,
): Promise<void> {
  if (!/^[\w-]+$/.test(document)) throw badUsage(`argument 'document': ${document} is no name of a document`)
  // The ledger is asked for its states; an export has all of them.
  const states = document === 'general-ledger-transactions' ? STATES.map((state) => [state, true] as const) : []
  const query = { $filter: filter, $select: select, $format: format, ...Object.fromEntries(states) }
  const client = createClient(credentials, { company })
  let changeNumber: string | null = null
  async function* answers() {
    const request = { path: `/v1/objects/${document}`, query, streams: true }
    for await (const answer of answersTo(client, request)) {
      // That of the first: what is written meanwhile is read again by whoever goes on from there.
      changeNumber ??= answer.headers.get('x-erp-change-number')
      yield answer
    }
  }
  await asking(credentials, () => writeExport(bytesOf(format, answers()), file ?? stdout, () => {}))
  if (changeNumber !== null) stderr.write(`change number ${changeNumber}\n`)
}

async function* bytesOf(
  format: ExportSettings['format'],
  answers: AsyncIterable<Response>,
): AsyncGenerator<Uint8Array> {
  if (format === 'csv' || format === 'excel') for await (const text of csvOf(answers)) yield Buffer.from(text)
  else if (format === 'ndjson') {
    for await (const answer of answers) for await (const text of decodedBody(answer)) yield Buffer.from(text)
  } else for await (const { body } of answers) if (body) yield* body
}
