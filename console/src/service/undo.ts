// What leads back from the newest change of a record, as long as it is the newest.
import { type Client, ConflictProblem } from '#client'
import { t } from '../words/words.ts'
import { type DocumentInfo, describedAt } from './metadata.ts'
import { fetchHistory, type RecordChangeEntry, recordPath } from './records.ts'

/** A JSON Patch; undefined where the change has made or removed the record, or told nothing that can be given back. */
export function undoPatch(document: DocumentInfo, { operation, changes }: RecordChangeEntry): string | undefined {
  if (operation !== 'updated') return undefined
  const given = changes.filter(({ path }) => isGiven(document, path))
  if (given.length === 0) return undefined
  return JSON.stringify(
    given.map(({ path, before }) =>
      before === undefined ? { op: 'remove', path } : { op: 'replace', path, value: before },
    ),
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
  const body = newest && undoPatch(document, newest)
  if (!isNewest || body === undefined) throw new Error(t('It cannot be undone: somebody has changed the record since.'))
  try {
    await service.request({ method: 'PATCH', path, body, ifMatch: tag })
  } catch (error) {
    if (!(error instanceof ConflictProblem)) throw error
    throw new Error(t('It cannot be undone: somebody has changed the record since.'), { cause: error })
  }
}
