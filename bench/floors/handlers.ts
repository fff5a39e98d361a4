// All handlers of a floor.
import { QUESTIONS } from '../questions/all.ts'
import { answersOf, commitTogether, openDatabase, type Synchronous } from './database.ts'
import { documentHandlers } from './documents.ts'
import { exportHandlers } from './exports.ts'
import { answerOf, type Handler, readHandler } from './handler.ts'
import { writeHandlers } from './writes.ts'

export function floorHandlers(file: string, synchronous: Synchronous): readonly Handler[] {
  const db = openDatabase(file, synchronous)
  const reads = QUESTIONS.map((question) => {
    const read = answersOf(db, question)
    return readHandler(question, (segments) => answerOf(question, read(segments)))
  })
  const commit = commitTogether(db)
  const documents = documentHandlers(db, commit, `${file}-contents`)
  return [...reads, ...writeHandlers(db, commit), ...documents, ...exportHandlers(db)]
}
