// The database of a floor: `node:sqlite` with its defaults and a write-ahead log.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { askedNames } from '../questions/all.ts'
import { type Question, SQLITE, statementOf } from '../questions/question.ts'

/** FULL: a commit is on disk before it is answered. NORMAL: a power failure may lose it. */
export type Synchronous = 'FULL' | 'NORMAL'

export type Work = () => string
/** Runs a write and resolves with its result after the commit. */
export type Commit = (work: Work) => Promise<string>

export function openDatabase(file: string, synchronous: Synchronous): DatabaseSync {
  const db = new DatabaseSync(file)
  db.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}`)
  return db
}

/** Answers a query from the segments of its path. */
export function answersOf(db: DatabaseSync, question: Question): (segments: readonly SQLInputValue[]) => unknown {
  const { text, parameters } = statementOf(question, SQLITE)
  const names = askedNames(question)
  const places = parameters.map((name) => names.indexOf(name))
  const statement = db.prepare(text)
  statement.setReturnArrays(true)
  return (segments) => {
    const row = statement.get(...places.map((place) => segments[place] ?? '')) as unknown as unknown[] | undefined
    return row?.[0]
  }
}

/** Writes that arrive in one turn of the event loop share a transaction. */
export function commitTogether(db: DatabaseSync): Commit {
  const [begin, commit] = [db.prepare('begin immediate'), db.prepare('commit')]
  let waiting: { work: Work; done: (text: string) => void }[] = []
  const commitAll = () => {
    const jobs = waiting
    waiting = []
    begin.run()
    const texts = jobs.map(({ work }) => work())
    commit.run()
    for (const [index, { done }] of jobs.entries()) done(texts[index] ?? '')
  }
  return (work) =>
    new Promise((done) => {
      waiting.push({ work, done })
      if (waiting.length === 1) setImmediate(commitAll)
    })
}
