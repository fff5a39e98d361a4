// Reads several parts of a request, so that one answer tells what is wrong with all of them.
import { Problem } from './problem.ts'
import { reasonOf } from './reason.ts'

/** Throws the only problem as it is; of several, one with the status and code of the first and the messages of all. */
export function readTogether<Read extends object>(readers: { readonly [Name in keyof Read]: () => Read[Name] }): Read {
  const read: Partial<Read> = {}
  const problems: Problem[] = []
  for (const name of Object.keys(readers) as (keyof Read)[]) {
    try {
      read[name] = readers[name]()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      problems.push(error)
    }
  }
  const [first] = problems
  if (first === undefined) return read as Read
  if (problems.length === 1) throw first
  const message = problems.map((one) => one.message.replace(/(?<![.!?])$/, '.')).join(' ')
  const reason = problems.map(reasonOf).join(' ')
  throw new Problem(first.status, first.code, { ...first.body, message }, message, { parts: problems, reason })
}
