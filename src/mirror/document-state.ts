// How far a document of a mirror has come. It is written with each page that it tells of.

/** What a source can do, as it was found out. */
export interface Abilities {
  /** Whether the source orders and filters by the key; otherwise pages are counted from the start. */
  readonly isOrdered: boolean
  /** Whether it finds records by their keys. */
  readonly isFiltered: boolean
  /** Whether single records are read by paths of their own; asked where records are not found by a filter. */
  readonly hasSingles: boolean
  /** Whether it answers the lists that are asked for by name. */
  readonly hasLists: boolean
  /** A page with fewer records is the last one, if it is not full either. */
  readonly bound: number
}

/** Where a page begins: behind a key, or where pages are counted, at an offset with the last and first keys before. */
export type PlaceOfPage = readonly string[]

export interface DocumentState extends Abilities {
  /**
   * `loading`: not all records are here yet; `following`: all are, and changes are looked for; `absent`: the source has
   * no such document, or the mirror may not read it.
   */
  readonly phase: 'loading' | 'following' | 'absent'
  /** What was asked for: another setup begins anew. */
  readonly asked: string
  /** How far loading has come, or a round, for each parameter that is asked for by itself. */
  readonly places: Readonly<Record<string, PlaceOfPage | 'end'>>
  /** Whether a record was there when it was found out what the source can do. */
  readonly isKnown: boolean
  /** Whether pages have shifted since all records were looked at last. */
  readonly hasShifted: boolean
  /** Whether records tell when they were changed. */
  readonly hasStamps: boolean
  /** Whether these times are written without a zone. */
  readonly isZoneless: boolean
  /** So far these times are before the clock that the source shows in its answers. */
  readonly aheadMs: number
  /** A change up to which all are here, by the clock that writes these times; empty: nothing is known. */
  readonly newest: string
  /** The same at the last sweep. */
  readonly sweptNewest: string
  /** Everything that the source had at this moment is here; empty: nothing is known. */
  readonly asOf: string
  /** Where changes are not told, all records are compared in rounds: the start of the one under way, or empty. */
  readonly roundAt: string
  /** The start of the last look for removed records that came to its end. */
  readonly sweptAt: string
  /** Records of the source when they were counted last; -1: it does not tell. */
  readonly sourceRows: number
  /** So many more were here after the last sweep: the source does not count all that it shows. */
  readonly uncounted: number
  /** Records that are here. */
  readonly rows: number
  /** Requests for the document since it was begun. */
  readonly requests: number
  /** Why it is not fresh, for people; empty: nothing is wrong. */
  readonly problem: string
}

export const NEW_DOCUMENT: DocumentState = {
  phase: 'loading',
  asked: '',
  places: {},
  isOrdered: true,
  isFiltered: true,
  hasSingles: false,
  hasLists: true,
  bound: 100,
  isKnown: false,
  hasShifted: false,
  hasStamps: false,
  isZoneless: false,
  aheadMs: 0,
  newest: '',
  sweptNewest: '',
  asOf: '',
  roundAt: '',
  sweptAt: '',
  sourceRows: -1,
  uncounted: 0,
  rows: 0,
  requests: 0,
  problem: '',
}
