// How a floor commits its writes.
import type Database from 'better-sqlite3'

type Work = () => string

/** Runs a write and resolves with its answer when that is on disk. */
export type Commit = (work: Work) => Promise<string>

/** Each write has a transaction of its own. */
export function commitEach(db: Database.Database): Commit {
  const alone = db.transaction((work: Work) => work())
  return async (work) => alone.immediate(work)
}

/** The writes that arrive in one turn of the event loop share a transaction. */
export function commitTogether(db: Database.Database): Commit {
  let waiting: { work: Work; done: (text: string) => void }[] = []
  const together = db.transaction((jobs: typeof waiting) => jobs.map((job) => job.work()))
  return (work) =>
    new Promise((done) => {
      waiting.push({ work, done })
      if (waiting.length > 1) return
      setImmediate(() => {
        const jobs = waiting
        waiting = []
        const texts = together.immediate(jobs)
        for (const [index, job] of jobs.entries()) job.done(texts[index] ?? '')
      })
    })
}
