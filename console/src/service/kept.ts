// What a person keeps in this browser for a company: what was opened last, and what is followed. The service has no
// place for it.
import { useEffect, useSyncExternalStore } from 'react'
import { useCompany, useSession } from './session.ts'

/** A record, or a list with its filter, columns and order, as its page is found again. */
export interface KeptPage {
  readonly document: string
  /** The key of a record, as in its address. */
  readonly key?: string
  /** What the address of a list asks for. */
  readonly search?: Readonly<Record<string, unknown>>
  readonly title: string
  /** When it was opened last. */
  readonly at: string
}

type Shelf = 'recent' | 'followed'

const MOST: Readonly<Record<Shelf, number>> = { recent: 12, followed: 24 }
const CHANGED = 'tabularium-kept'

export const isSamePage = (one: KeptPage, other: KeptPage): boolean => identityOf(one) === identityOf(other)

/** Lists are the same with the same filter, whatever their columns. */
function identityOf({ document, key, search }: KeptPage): string {
  return JSON.stringify([document, key, key === undefined ? (search?.filter ?? '') : ''])
}

/** The page in front, once; those behind the last that there is room for are forgotten. */
export const withPage = (pages: readonly KeptPage[], page: KeptPage, most: number): KeptPage[] =>
  [page, ...pages.filter((one) => !isSamePage(one, page))].slice(0, most)

/** What is kept may have been written by anybody who uses the browser. */
export function keptIn(text: string | null): readonly KeptPage[] {
  try {
    const pages: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(pages) ? pages.filter(isKeptPage) : []
  } catch {
    return []
  }
}

function isKeptPage(page: Partial<KeptPage> | null): page is KeptPage {
  return (
    typeof page?.document === 'string' &&
    typeof page.title === 'string' &&
    typeof page.at === 'string' &&
    !Number.isNaN(Date.parse(page.at)) &&
    ['string', 'undefined'].includes(typeof page.key) &&
    ['object', 'undefined'].includes(typeof page.search)
  )
}

/** The pages of a shelf, and a way to change them. */
export function useKept(
  shelf: Shelf,
): [readonly KeptPage[], (change: (pages: readonly KeptPage[]) => readonly KeptPage[]) => void] {
  const { user } = useSession()
  const { id: company } = useCompany()
  const place = `tabularium.${shelf}.${user}.${company}`
  const text = useSyncExternalStore(listen, () => localStorage.getItem(place))
  const change = (changed: (pages: readonly KeptPage[]) => readonly KeptPage[]) => {
    const next = changed(keptIn(localStorage.getItem(place)))
    localStorage.setItem(place, JSON.stringify(next.slice(0, MOST[shelf])))
    dispatchEvent(new Event(CHANGED))
  }
  return [keptIn(text), change]
}

/** Other tabs tell by `storage`. */
function listen(onChange: () => void): () => void {
  addEventListener(CHANGED, onChange)
  addEventListener('storage', onChange)
  return () => {
    removeEventListener(CHANGED, onChange)
    removeEventListener('storage', onChange)
  }
}

/**
 * Tells that a page was opened: records are found again on Home and by the search, and what is followed there is new
 * from now on. Who looks as somebody else leaves nothing.
 */
export function useOpened(page: Omit<KeptPage, 'at'> | undefined): void {
  const [, changeRecent] = useKept('recent')
  const [, changeFollowed] = useKept('followed')
  const { actingAs } = useSession()
  const text = page && actingAs === undefined ? JSON.stringify(page) : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page alone says what was opened
  useEffect(() => {
    if (text === undefined) return
    const opened: KeptPage = { ...(JSON.parse(text) as Omit<KeptPage, 'at'>), at: new Date().toISOString() }
    if (opened.key !== undefined) changeRecent((pages) => withPage(pages, opened, MOST.recent))
    changeFollowed((pages) => pages.map((one) => (isSamePage(one, opened) ? { ...one, at: opened.at } : one)))
  }, [text])
}
