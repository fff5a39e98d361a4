// Several reads of one state: the pages of an answer and its count are of the moment of the first of them.

import { coded } from '../../errors/catalogue.ts'
import { Problem } from '../../errors/problem.ts'
import { lastChangeNumber } from '../../store/change-number.ts'
import type { Store } from '../../store/store.ts'

interface Found {
  /** The number of the company's last change in what was read. */
  readonly changeNumber: number
}

export class SnapshotReader {
  readonly #store: Store
  readonly #companyId: string
  readonly #isKept: boolean
  #changeNumber: number | undefined

  /** `isKept`: whether earlier states of the records are known; otherwise each read is of its own moment. */
  constructor(store: Store, companyId: string, isKept: boolean, changeNumber: number | undefined) {
    this.#store = store
    this.#companyId = companyId
    this.#isKept = isKept
    this.#changeNumber = changeNumber
  }

  /** The moment of all reads; undefined before the first of them, and where earlier states are not known. */
  get changeNumber(): number | undefined {
    return this.#isKept ? this.#changeNumber : undefined
  }

  /** What is there now is read as long as nothing has changed, and what was there then afterwards. */
  async read<Answer extends Found>(
    now: () => Promise<Answer>,
    then: (asOf: string) => Promise<Answer>,
    discard: (answer: Answer) => Promise<unknown> = async () => {},
  ): Promise<Answer> {
    if (this.#changeNumber === undefined || !this.#isKept) {
      const found = await now()
      this.#changeNumber = found.changeNumber
      return found
    }
    const wanted = this.#changeNumber
    if ((await lastChangeNumber(this.#store.reading(this.#companyId))) === wanted) {
      const found = await now()
      if (found.changeNumber === wanted) return found
      await discard(found)
    }
    return orGone(then(String(wanted)))
  }
}

/** What was then can only be refused for how much has changed since: a client has to begin again. */
async function orGone<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error
    throw coded(410, 1020, 'Too much has changed since the first page was read: ask for the first page again.')
  }
}
