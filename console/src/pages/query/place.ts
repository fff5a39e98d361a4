// Where in a question the service has found a fault, read from its message, whose languages all call it a position.
import type { Question } from '../../service/question.ts'

export interface Place {
  readonly option: string
  readonly before: string
  /** What is wrong; empty at the end of the text. */
  readonly wrong: string
  readonly after: string
}

const MEMBERS = {
  $filter: 'filter',
  $select: 'select',
  $orderby: 'orderBy',
  $groupby: 'groupBy',
  $aggregate: 'aggregate',
  $having: 'having',
} as const

/** Undefined if the message names no place. */
export function placeOf(message: string, question: Question): Place | undefined {
  const [, position] = / posi(?:tion|sjon) (\d+)/i.exec(message) ?? []
  const [option] = /\$(?:filter|select|orderby|groupby|aggregate|having)\b/.exec(message) ?? []
  if (position === undefined || option === undefined) return undefined
  const text = question[MEMBERS[option as keyof typeof MEMBERS]] ?? ''
  const at = Number(position)
  if (at > text.length) return undefined
  const [wrong = ''] = /^(?:[\p{L}\p{N}_/]+|\S)/u.exec(text.slice(at)) ?? []
  return { option, before: text.slice(0, at), wrong, after: text.slice(at + wrong.length) }
}
