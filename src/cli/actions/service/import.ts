// Rows that a running service imports, as `import` does into a database: as a batch operation, in the background.
import { openAsBlob } from 'node:fs'
import { createClient, type RejectedRow } from '#client'
import { RejectsFile } from '../../../transfer/rejects-file.ts'
import type { ServiceCredentials } from '../../settings/logins.ts'
import { requireFile } from '../../terminal/bad-usage.ts'
import { withProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { shown } from '../../terminal/terminal-text.ts'
import { inputFormatOf } from '../records/file-formats.ts'
import {
  addedCodesOf,
  codesText,
  countsText,
  type ImportSettings,
  listFilesOf,
  readMapFile,
} from '../records/import-settings.ts'
import { inputFileAt } from '../records/input-file.ts'
import { asking } from './asking.ts'

const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

/** Imports the valid rows, and writes the problems of the others to a file next to the input. */
export async function importInto(
  credentials: ServiceCredentials,
  document: string,
  file: string,
  flags: ImportSettings,
  terminal: Terminal,
): Promise<void> {
  const { path, rejects } = inputFileAt(file)
  const size = requireFile("argument 'file'", path)
  const { company, update, keepIds, dryRun: validateOnly } = flags
  const addCodes = flags.addCodes === undefined ? undefined : addedCodesOf(flags)
  const map = flags.map === undefined ? undefined : readMapFile(flags.map)
  const listFiles = listFilesOf(flags)
  const { batchOperations } = createClient(credentials, { company })
  const rows = await openAsBlob(path, { type: TYPES[flags.format ?? inputFormatOf(file)] })
  const ofLists = await Promise.all(
    listFiles.map(async ({ list, path, format }) => [list, await openAsBlob(path, { type: TYPES[format] })] as const),
  )
  const lists = ofLists.length === 0 ? undefined : Object.fromEntries(ofLists)
  const options = { update, keepIds, addCodes, map, lists, readWith: { ...flags.readWith }, validateOnly, timeoutMs: 0 }
  const { status, message, written, unchanged, rejected, codes } = await asking(credentials, async () => {
    const { id } = await withProgress(terminal, `sending ${document}`, size, (onProgress) =>
      batchOperations.send(document, rows, { ...options, onProgress }),
    )
    const ended = await batchOperations.wait(id)
    if (ended.rejected > 0) await keepRejected(rejects, batchOperations.results(id))
    return ended
  })
  const isDryRun = validateOnly === true
  const counts = countsText({ written, unchanged, rejected }, rejects, isDryRun)
  terminal.stdout.write([`${counts}\n`, ...codesText(codes, isDryRun)].join(''))
  if (status !== 'C') throw new Error(`the service has not gone on to the end: ${shown(message)}`)
  if (rejected > 0) terminal.exitCode = 1
}

/** A line for each finding, with the key of its row in the place of the row. */
async function keepRejected(path: string, rows: AsyncIterable<RejectedRow>): Promise<void> {
  const file = await RejectsFile.open(path, 0)
  try {
    for await (const { row, key, findings } of rows) {
      const named = findings.map(({ field = '', message }) => ({ column: field, message }))
      file.add({ line: row, text: JSON.stringify(key) }, named)
    }
  } finally {
    file.close()
  }
}
