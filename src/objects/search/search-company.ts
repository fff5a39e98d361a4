// Searches everything that a caller may read in a company, and answers with what could be found in time.
import { setImmediate as afterOthers } from 'node:timers/promises'
import type { Caller } from '../../access/caller.ts'
import { documentTitle } from '../../model/titles.ts'
import type { QueryCaller } from '../../store/store.ts'
import type { EnterpriseDocument } from '../enterprise-document.ts'
import { readableDefinition } from '../readable.ts'
import type { Hit } from './marked-hits.ts'
import { bestFirst, LOOKED_AT, type SearchRequest, searchDocument, unlessLate } from './search-document.ts'
import { searchFiles } from './search-files.ts'

/** What is not answered by then counts as not searched to the end. */
const WITHIN_MS = 5_000

type FoundGroup = {
  readonly document: string
  readonly version: number
  readonly title: string
  readonly hits: Hit[]
  readonly hasMore: boolean
}

type Unfinished = {
  readonly document: string
  readonly title: string
  /** The last records by the key, which were looked at; absent: it could not be searched in time. */
  readonly lookedAt?: number
}

type SearchAnswer = {
  readonly groups: FoundGroup[]
  readonly unfinished: Unfinished[]
}

/** They say what the values of others mean, and come last among equally good documents. */
const LAST = ['attributes', 'attribute-values', 'companies', 'value-list']

interface RankedGroup extends FoundGroup {
  readonly rank: number
}

export async function searchCompany(
  request: SearchRequest,
  caller: Caller,
  documents: readonly EnterpriseDocument[],
  limit: number,
): Promise<SearchAnswer> {
  const { requester, giveUp, leave } = impatient(request.requester)
  const groups: (RankedGroup | undefined)[] = []
  const unfinished: (Unfinished | undefined)[] = []
  const search = async (document: EnterpriseDocument, at: number) => {
    const definition = readableDefinition(document, caller, request.company)
    if (!definition || definition.searched?.length === 0) return
    const { name, version } = definition
    const title = documentTitle(definition, request.languages)
    const asked = { ...request, requester }
    const found = await unlessLate(() => searchDocument(asked, document, definition))
    const files = (await unlessLate(() => searchFiles(asked, caller, document, definition))) ?? []
    if (found?.end !== 'whole')
      unfinished[at] = { document: name, title, ...(found?.end === 'cut' ? { lookedAt: LOOKED_AT } : {}) }
    const all = bestFirst([...(found?.hits ?? []), ...files])
    const [best] = all
    if (!best) return
    const hits = all.slice(0, limit).map(({ hit }) => hit)
    groups[at] = { document: name, version, title, hits, hasMore: all.length > limit, rank: best.rank }
  }
  try {
    // Small tables are searched in this thread, one after the other; others queue for their readers at once.
    let turn = Promise.resolve()
    const searched = documents.map((document, at) => {
      turn = turn.then(() => afterOthers())
      return turn.then(() => search(document, at))
    })
    await allOf(searched, giveUp)
  } finally {
    leave()
  }
  const isLast = ({ document }: RankedGroup) => Number(LAST.includes(document))
  const ranked = groups
    .filter((one) => one !== undefined)
    .sort((one, other) => one.rank - other.rank || isLast(one) - isLast(other))
  return {
    groups: ranked.map(({ rank: _rank, ...group }) => group),
    unfinished: unfinished.filter((one) => one !== undefined),
  }
}

/** Throws what the first one throws that fails: the others are stopped, and waited for. */
async function allOf(works: readonly Promise<void>[], stop: () => void): Promise<void> {
  for (const work of works) work.catch(stop)
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason
}

/** The same caller, who waits for answers no longer than a search may take. */
function impatient({ flow, onAbandoned }: QueryCaller): {
  readonly requester: QueryCaller
  giveUp(): void
  leave(): void
} {
  const stops = new Set<() => void>()
  let hasLeft = false
  const giveUp = () => {
    hasLeft = true
    for (const stop of stops) stop()
    stops.clear()
  }
  const timer = setTimeout(giveUp, WITHIN_MS).unref()
  onAbandoned(giveUp)
  return {
    requester: {
      flow,
      onAbandoned: (stop) => {
        if (hasLeft) stop()
        else stops.add(stop)
      },
    },
    giveUp,
    /** Everything is answered. */
    leave: () => {
      clearTimeout(timer)
      stops.clear()
    },
  }
}
