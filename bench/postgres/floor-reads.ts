// Answers queries by `pg`: one named statement for each, on one pool.
import pg from 'pg'
import { askedNames } from '../questions/all.ts'
import { POSTGRES, type Question, statementOf } from '../questions/question.ts'

export type Read = (segments: readonly string[]) => Promise<unknown>

const JSON_TYPE_ID = 114
const LONGEST_NAME = 60

// JSON is passed to the client as text, without parsing.
pg.types.setTypeParser(JSON_TYPE_ID, (text) => text)

/** The name of a prepared statement, from the start of its text or of the name of its query. */
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
