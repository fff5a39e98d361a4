// Reads the lists beside this file, and draws from them: the same seed gives the same draws for ever.
import { readFileSync } from 'node:fs'

/** Rows of a list with `;` between fields, by the names in its first line. A line with `#` becomes { comment }. */
export function readList(name) {
  const lines = readText(`${name}.csv`).trim().split('\n')
  const columns = lines[0].split(';')
  return lines.slice(1).map((line) => {
    if (line.startsWith('#')) return { comment: line }
    const fields = line.split(';')
    return Object.fromEntries(columns.map((column, i) => [column, fields[i] ?? '']))
  })
}

export function readText(file) {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}

/** Rows without the comments between them. */
export function rowsOf(list) {
  return list.filter((row) => !row.comment)
}

/** A small generator of random numbers (mulberry32) with the draws that the demo needs. */
export function randomOf(seed) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from, to) => from + Math.floor(next() * (to - from + 1))
  return {
    whole,
    pick: (list) => list[whole(0, list.length - 1)],
    chance: (probability) => next() < probability,
    /** The first of a month between two years. */
    month: (fromYear, toYear) => `${whole(fromYear, toYear)}-${String(whole(1, 12)).padStart(2, '0')}-01`,
  }
}

export function padded(number, width) {
  return String(number).padStart(width, '0')
}

/** The day before a day, both as yyyy-mm-dd. */
export function dayBefore(day) {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
}

/** Without what reads as absent: empty texts, false, empty objects. */
export function compact(value) {
  if (Array.isArray(value)) return value.map(compact)
  if (typeof value !== 'object') return value
  const kept = Object.entries(value)
    .filter(([, member]) => member !== '' && member !== undefined && member !== false)
    .map(([name, member]) => [name, compact(member)])
    .filter(([, member]) => typeof member !== 'object' || Object.keys(member).length > 0)
  return Object.fromEntries(kept)
}
