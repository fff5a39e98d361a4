// Everything that a floor answers.
import { askedNames, floorPath, QUESTIONS } from '../questions/all.ts'
import { answersOf, commitTogether, openDatabase, type Synchronous } from './database.ts'
import { documentHandlers } from './documents.ts'
import { exportHandlers } from './exports.ts'
import type { Handler } from './handler.ts'
import { writeHandlers } from './writes.ts'

/** The arguments of a floor's process: its file, its synchronous setting and the file of published keys. */
export function floorHandlers(): readonly Handler[] {
  // An ordinary end, so that a profile of it is written.
  process.once('SIGINT', () => process.exit(0))
  const [file = '', synchronous = 'FULL'] = process.argv.slice(2)
  const db = openDatabase(file, synchronous as Synchronous)
  const reads = QUESTIONS.map((question): Handler => {
    const read = answersOf(db, question)
    const route = { path: floorPath(question), segments: askedNames(question).length }
    if (question.answer === 'count') {
      return { ...route, method: 'HEAD', answer: (given) => ({ status: 200, text: '', count: Number(read(given)) }) }
    }
    return { ...route, method: 'GET', answer: (given) => found(read(given) as string | undefined) }
  })
  const commit = commitTogether(db)
  const documents = documentHandlers(db, commit, `${file}-contents`)
  return [...reads, ...writeHandlers(db, commit), ...documents, ...exportHandlers(db)]
}

const found = (text: string | undefined) => ({ status: text === undefined ? 404 : 200, text: text ?? '{}' })
