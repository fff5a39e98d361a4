// Work in a transaction that leaves nothing: done as any other, and rolled back.

class Rollback extends Error {
  readonly written: unknown

  constructor(written: unknown) {
    super('rollback of a write that only validates')
    this.written = written
  }
}

/** Resolves with what `work` returns, when nothing of it is left. `write` runs it in a transaction. */
export async function rolledBack<Handle, T>(
  write: (work: (tx: Handle) => Promise<never>) => Promise<never>,
  work: (tx: Handle) => Promise<T>,
): Promise<T> {
  try {
    return await write(async (tx) => {
      throw new Rollback(await work(tx))
    })
  } catch (error) {
    if (error instanceof Rollback) return error.written as T
    throw error
  }
}
