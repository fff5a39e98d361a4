// The moment that the option `asOf` names: the number of a change, or a time.
import { parseDateTime } from '../../base/dates.ts'
import { shortened } from '../../base/text.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import { Problem } from '../../errors/problem.ts'
import { numberBefore } from '../../store/change-number.ts'
import type { ReadTx } from '../../store/store.ts'
import { ChangesGone } from '../changes-gone.ts'
import { findLogEnd } from '../log-store.ts'

const NUMBER = /^\d{1,15}$/

/**
 * The number of the last change that was made at the moment or before it: the present for a time in the future. Throws
 * 400 for a text that is no moment and for the number of a change that was not made yet, and 410 when what was then is
 * no longer kept.
 */
export async function numberAt(tx: ReadTx, asOf: string): Promise<number> {
  const text = asOf.trim()
  const { last, oldest } = await findLogEnd(tx)
  const named = NUMBER.test(text) ? Number(text) : undefined
  if (named !== undefined && named > last)
    throw invalidOption(`There is no change ${named} yet: the newest is ${last}.`)
  const number = named ?? (await numberAtTime(tx, text))
  if (number < oldest)
    throw gone(`What was before change ${oldest} is no longer kept: asOf must be ${oldest} or later.`)
  return number
}

function numberAtTime(tx: ReadTx, text: string): Promise<number> {
  const instant = parseDateTime(text)
  if (instant !== undefined) return numberBefore(tx, Date.parse(instant) + 1)
  throw invalidOption(
    `The value '${shortened(text, 40)}' is not valid for asOf; it must be a date, a date-time or the number of a change.`,
  )
}

/** 410 where the log finds that it no longer has all that was asked of it. */
export async function orGone<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ChangesGone) throw gone('What was then is no longer kept: choose a later moment.')
    throw error
  }
}

function gone(message: string): Problem {
  return new Problem(410, 1020, { code: 1020, message }, message)
}
