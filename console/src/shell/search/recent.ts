// The records that a person has opened last, in this browser.
import { useEffect } from 'react'
import { useCompany, useSession } from '../../service/session.ts'

export interface Visited {
  readonly document: string
  /** As in its address. */
  readonly key: string
  readonly title: string
}

const KEPT = 8

const placeOf = (user: string, company: string) => `tabularium.recent.${user}.${company}`

/** The last one first. */
export function recentRecords(user: string, company: string): readonly Visited[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(user, company)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isVisited) : []
  } catch {
    return []
  }
}

function isVisited(one: Partial<Visited> | null): one is Visited {
  return [one?.document, one?.key, one?.title].every((text) => typeof text === 'string')
}

/** Remembers the record of a page; `title` is empty until it is known. Who looks as somebody else leaves nothing. */
export function useVisited(document: string, key: string, title: string): void {
  const { user, actingAs } = useSession()
  const { id: company } = useCompany()
  useEffect(() => {
    if (title === '' || actingAs !== undefined) return
    const others = recentRecords(user, company).filter((one) => one.document !== document || one.key !== key)
    const kept = [{ document, key, title }, ...others].slice(0, KEPT)
    localStorage.setItem(placeOf(user, company), JSON.stringify(kept))
  }, [user, actingAs, company, document, key, title])
}
