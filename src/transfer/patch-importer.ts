// Changes records that exist: each row has the key of one, and the operations of a patch of its own.
import type { JsonObject } from '../base/strict-json.ts'
import { foldName, shortened } from '../base/text.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { PatchRequest } from '../records/shared/record-pipeline.ts'
import { type Destination, type Importer, recordImporter } from './importer.ts'
import type { RowReader } from './row-reader.ts'
import type { ReadableRow, RowFinding } from './rows/read-rows.ts'

export interface PatchManner {
  /** The number of the last change that is known: a record that has changed since is rejected. */
  readonly unchangedSince?: number | undefined
}

const OPERATIONS = 'operations'

export function patchImporter(
  destination: Destination,
  definition: DocumentDefinition,
  { keyNames }: { readonly keyNames: readonly string[] },
  patch: (request: PatchRequest) => Promise<{ readonly isChanged: boolean }>,
): Importer {
  const findings = (reader: RowReader, row: ReadableRow) => patchFindings(reader, row, keyNames)
  return recordImporter(
    destination,
    definition,
    async ({ body, ...request }) => {
      const members = membersOf(body)
      const key = keyNames.map((name) => String(members.get(foldName(name))))
      const patched = await patch({ ...request, key, body: members.get(OPERATIONS), ifMatch: undefined })
      return patched.isChanged ? 'written' : 'unchanged'
    },
    findings,
  )
}

const membersOf = (record: JsonObject) =>
  new Map(Object.entries(record).map(([name, value]) => [foldName(name), value]))

/** What keeps a row from being a patch of a record. */
function patchFindings(reader: RowReader, { record }: ReadableRow, keyNames: readonly string[]): RowFinding[] {
  const members = membersOf(record)
  const known = new Set(['companyid', OPERATIONS, ...keyNames.map(foldName)])
  const unknown = Object.keys(record).find((name) => !known.has(foldName(name)))
  const other = reader.companyFinding(record)
  const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number'
  return [
    ...(other ? [other] : []),
    ...(unknown === undefined
      ? []
      : [{ column: shortened(unknown), message: `a change has ${OPERATIONS}, and the key of its record alone` }]),
    ...keyNames
      .filter((name) => !isText(members.get(foldName(name))))
      .map((name) => ({ column: name, message: 'is missing: it is a part of the key' })),
    ...(Array.isArray(members.get(OPERATIONS))
      ? []
      : [{ column: OPERATIONS, message: 'must be a list of operations' }]),
  ]
}
