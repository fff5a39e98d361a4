// What a person keeps of a company: what was opened last, and what is followed.
import { useEffect } from 'react'
import { type Settings, useSettings } from './settings.ts'

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

export const isSamePage = (one: KeptPage, other: KeptPage): boolean => identityOf(one) === identityOf(other)

/** Lists are the same with the same filter, whatever their columns. */
function identityOf({ document, key, search }: KeptPage): string {
  return JSON.stringify([document, key, key === undefined ? (search?.filter ?? '') : ''])
}

/** The page in front, once; those behind the last that there is room for are forgotten. */
export const withPage = (pages: readonly KeptPage[], page: KeptPage, most: number): KeptPage[] =>
  [page, ...pages.filter((one) => !isSamePage(one, page))].slice(0, most)

/** Another version of the console may have written it. */
export const pagesIn = (value: unknown): readonly KeptPage[] => (Array.isArray(value) ? value.filter(isKeptPage) : [])

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

type ChangePages = (change: (pages: readonly KeptPage[]) => readonly KeptPage[]) => void

/** The pages of a shelf, and a way to change them. */
export function useKept(shelf: Shelf): [readonly KeptPage[], ChangePages] {
  const [settings, change] = useSettings()
  return [pagesIn(settings[shelf]), (changed) => change((before) => withShelf(before, shelf, changed))]
}

function withShelf(settings: Settings, shelf: Shelf, changed: Parameters<ChangePages>[0]): Settings {
  return { ...settings, [shelf]: changed(pagesIn(settings[shelf])).slice(0, MOST[shelf]) }
}

/**
 * Tells that a page was opened: records are found again on Home and by the search, and what is followed there is new
 * from now on.
 */
export function useOpened(page: Omit<KeptPage, 'at'> | undefined): void {
  const [, change] = useSettings()
  const text = page && JSON.stringify(page)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page alone says what was opened
  useEffect(() => {
    if (text === undefined) return
    const opened: KeptPage = { ...(JSON.parse(text) as Omit<KeptPage, 'at'>), at: new Date().toISOString() }
    change((settings) => withOpened(settings, opened))
  }, [text])
}

function withOpened(settings: Settings, opened: KeptPage): Settings {
  const isFollowed = pagesIn(settings.followed).some((one) => isSamePage(one, opened))
  const seen = isFollowed
    ? withShelf(settings, 'followed', (pages) => pages.map((one) => (isSamePage(one, opened) ? opened : one)))
    : settings
  if (opened.key === undefined) return seen
  return withShelf(seen, 'recent', (pages) => withPage(pages, opened, MOST.recent))
}
