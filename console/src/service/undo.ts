// What leads back from the newest change of a record, as long as it is the newest.
import { type Client, ConflictProblem } from '#client'
import { t } from '../words/words.ts'
import { parseExact } from './exact-json.ts'
import { type DocumentInfo, describedAt } from './metadata.ts'
import { fetchHistory, type MemberChange, type RecordChangeEntry, recordPath } from './records.ts'

/** Empty where the change has made or removed the record, or told nothing that can be given back. */
export function undoable(document: DocumentInfo, { operation, changes }: RecordChangeEntry): readonly MemberChange[] {
  return operation === 'updated' ? changes.filter(({ path }) => isGiven(document, path)) : []
}

/** A JSON Patch. Of lines, a history tells that they were changed: they come from the record as it was before. */
async function undoPatch(changes: readonly MemberChange[], recordBefore: () => Promise<Record<string, unknown>>) {
  const isOfLines = ({ before, after }: MemberChange) => before === undefined && after === undefined
  const record = changes.some(isOfLines) ? await recordBefore() : {}
  return JSON.stringify(
    changes.map((change) => {
      const { path, before } = change
      const value = isOfLines(change) ? (record[path.slice('/'.length)] ?? []) : before
      return value === undefined ? { op: 'remove', path } : { op: 'replace', path, value }
    }),
  )
}

/** The service itself keeps who has changed a record, and what it computes. */
const isGiven = (document: DocumentInfo, path: string): boolean =>
  path !== '' && !path.startsWith('/lastUpdated') && describedAt(document, path).schema.readOnly !== true

/** The change that is taken back: its number in the timeline, or the tag that it gave the record. */
export type UndoneChange = { readonly number: number } | { readonly tag: string }

/** Throws where somebody has changed the record since. */
export async function undoChange(
  service: Client,
  company: string,
  document: DocumentInfo,
  key: readonly string[],
  change: UndoneChange,
): Promise<void> {
  const path = recordPath(document.name, key)
  const tag = (await service.request({ path })).headers.get('etag') ?? ''
  // Read after the tag: if it is the newest now, the tag is that of its state.
  const [newest] = (await fetchHistory(company, document.name, key, '')).changes
  const isNewest = 'tag' in change ? change.tag === tag : newest?.number === change.number
  const changes = newest && isNewest ? undoable(document, newest) : []
  if (!newest || changes.length === 0) throw new Error(t('It cannot be undone: somebody has changed the record since.'))
  const body = await undoPatch(changes, async () => {
    const answer = await service.request({ path, query: { asOf: newest.number - 1 } })
    return parseExact<Record<string, unknown>>(await answer.text())
  })
  try {
    await service.request({ method: 'PATCH', path, body, ifMatch: tag })
  } catch (error) {
    if (!(error instanceof ConflictProblem)) throw error
    throw new Error(t('It cannot be undone: somebody has changed the record since.'), { cause: error })
  }
}
