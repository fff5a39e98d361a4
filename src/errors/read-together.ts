// Reads several parts of a request, so that one answer tells what is wrong with all of them.
import { Problem } from './problem.ts'
import { reasonOf } from './reason.ts'

type Readers<Read> = { readonly [Name in keyof Read]: () => Read[Name] }

/** Throws the only problem as it is; of several, one with the status and code of the first and the messages of all. */
export function readTogether<Read extends object>(readers: Readers<Read>): Read {
  return readAll(readers, Problem, (problems, message) => {
    const { status, code, body } = problems[0]
    const reason = problems.map(reasonOf).join(' ')
    return new Problem(status, code, { ...body, message }, message, { parts: problems, reason })
  })
}

/** Throws the only error of a kind as it is, and several as one, which is made of them and their messages. */
export function readAll<Read extends object, Fault extends Error>(
  readers: Readers<Read>,
  kind: abstract new (...args: never[]) => Fault,
  join: (faults: readonly [Fault, ...Fault[]], message: string) => Fault,
): Read {
  const read: Partial<Read> = {}
  const faults: Fault[] = []
  for (const name of Object.keys(readers) as (keyof Read)[]) {
    try {
      read[name] = readers[name]()
    } catch (error) {
      if (!(error instanceof kind)) throw error
      faults.push(error)
    }
  }
  const [first, ...others] = faults
  if (first === undefined) return read as Read
  if (others.length === 0) throw first
  throw join([first, ...others], faults.map((one) => one.message.replace(/(?<![.!?])$/, '.')).join(' '))
}
