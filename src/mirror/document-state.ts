// How far a document of a mirror has come. It is written with each page that it tells of.

export interface DocumentState {
  /**
   * `loading`: not all records are here yet; `following`: all are, and changes are looked for; `absent`: the source has
   * no such document, or the mirror may not read it.
   */
  readonly phase: 'loading' | 'following' | 'absent'
  /** The key of the last record of a page while loading, for each parameter that is asked for by itself. */
  readonly places: Readonly<Record<string, readonly string[] | 'end'>>
  /** Whether the source orders and filters by the key; otherwise pages are counted from the start. */
  readonly isOrdered: boolean
  /** Whether it answers the lists that are asked for by name. */
  readonly hasLists: boolean
  /** Whether records tell when they were changed. */
  readonly hasStamps: boolean
  /** The newest change that was seen, by the clock of the source. */
  readonly newest: string
  /** Everything that the source had at this moment is here; empty: nothing is known. */
  readonly asOf: string
  /** Where changes are not told, all records are compared in rounds: the start of the one under way, or empty. */
  readonly roundAt: string
  /** The start of the last look for removed records that came to its end. */
  readonly sweptAt: string
  /** Records of the source when they were counted last; -1: it does not tell. */
  readonly sourceRows: number
  /** Records that are here. */
  readonly rows: number
  /** Requests for the document since it was begun. */
  readonly requests: number
  /** Why it is not fresh, for people; empty: nothing is wrong. */
  readonly problem: string
}

export const NEW_DOCUMENT: DocumentState = {
  phase: 'loading',
  places: {},
  isOrdered: true,
  hasLists: true,
  hasStamps: false,
  newest: '',
  asOf: '',
  roundAt: '',
  sweptAt: '',
  sourceRows: -1,
  rows: 0,
  requests: 0,
  problem: '',
}
