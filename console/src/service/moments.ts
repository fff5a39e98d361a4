// Days and moments. A day is the same one everywhere, and is stored as its midnight in UTC. A moment is of the day that the
// reader's clock shows: when a record was changed, and whatever is called so, such as `shippedAt`.
import type { FieldInfo } from './metadata.ts'

export type Timed = Pick<FieldInfo, 'kind' | 'path'>

const MOMENT = /(?:(?:^|\/)a|A)t$/

export const isMoment = ({ kind, path }: Timed): boolean => kind === 'date-time' && MOMENT.test(path)

/** The day of a value, as the reader sees it. Swedish writes a day in plain form. */
export function dayOf(value: string, field: Timed): string {
  if (value.length <= 10 || !isMoment(field)) return value.slice(0, 10)
  const at = new Date(`${value.slice(0, 19)}Z`)
  return Number.isNaN(at.getTime()) ? value.slice(0, 10) : at.toLocaleDateString('sv')
}

/** The first moment of a day, as a filter writes it. */
export function beginOf(day: string, field: Timed): string {
  if (!isMoment(field)) return day
  const at = new Date(`${day}T00:00`)
  return Number.isNaN(at.getTime()) ? day : at.toISOString().replace(/\.\d+/, '')
}
