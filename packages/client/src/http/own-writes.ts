// What the client has written itself: its reads ask for answers that have it, wherever they are answered.

/** It carries the number of the last change in what an answer was made of. */
const CHANGE_NUMBER = 'x-erp-change-number'

export class OwnWrites {
  /** By the company as it is named: each counts for itself. */
  readonly #numbers = new Map<string, number>()

  /** For `Min-Change`; undefined before the first write. */
  least(company: string): string | undefined {
    return this.#numbers.get(company)?.toString()
  }

  /** `header`: of the answer to a write. */
  wrote(company: string, header: string | null | undefined): void {
    const number = Number(header ?? 0)
    if (number > (this.#numbers.get(company) ?? 0)) this.#numbers.set(company, number)
  }
}

export const changeNumberIn = (answer: Response): string | null => answer.headers.get(CHANGE_NUMBER)

/** The same of an operation of a batch. */
export const changeNumberOf = (headers: Readonly<Record<string, string>> = {}): string | undefined =>
  headers[CHANGE_NUMBER]
