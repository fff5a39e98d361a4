// Answers questions by `pg`: a named statement each, on one pool.
import pg from 'pg'
import { askedNames } from '../questions/all.ts'
import { POSTGRES, type Question, statementOf } from '../questions/question.ts'

export type Read = (segments: readonly string[]) => Promise<unknown>

const JSON_TYPE_ID = 114
const LONGEST_NAME = 60

// The text goes to the client as it is.
pg.types.setTypeParser(JSON_TYPE_ID, (text) => text)

/** Names a statement by its beginning, or by what is asked. */
export const nameOf = (text: string): string => text.slice(0, LONGEST_NAME)

export function readOf(pool: pg.Pool, question: Question): Read {
  const { text, parameters } = statementOf(question, POSTGRES)
  const names = askedNames(question)
  const places = parameters.map((name) => names.indexOf(name))
  return async (segments) => {
    const values = places.map((place) => segments[place])
    const { rows } = await pool.query({ name: nameOf(question.name), text, values, rowMode: 'array' })
    return rows[0]?.[0]
  }
}
