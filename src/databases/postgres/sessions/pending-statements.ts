// Pipelined statements of a transaction whose outcomes were not awaited yet.
import { isFault } from './faults.ts'

export class PendingStatements {
  #statements: Promise<unknown>[] = []
  #fault: Error | undefined
  #failure: Error | undefined

  /** The first error of all, although a savepoint may have undone it. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** The error by which the transaction is lost, although whoever asked may have answered it with another one. */
  get fault(): Error | undefined {
    return this.#fault
  }

  add(statement: Promise<unknown>): void {
    this.#watch(statement)
    this.#statements.push(statement)
  }

  /** Throws the error of the first failed statement. */
  async settle(): Promise<void> {
    const statements = this.#statements
    this.#statements = []
    for (const one of statements) await one
  }

  /** Awaits a later statement. If an earlier one has failed, its error is the cause and is thrown instead. */
  async outcomeOf<T>(statement: Promise<T>): Promise<T> {
    this.#watch(statement)
    try {
      return await statement
    } catch (error) {
      await this.settle()
      throw error
    }
  }

  #watch(statement: Promise<unknown>): void {
    statement.catch((error: Error) => {
      this.#failure ??= error
      if (isFault(error)) this.#fault ??= error
    })
  }
}
