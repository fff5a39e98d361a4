// A file as a table of texts that a person mends, and as what the service takes: CSV with a map of its headings.

export interface Table {
  /** Each once, and none empty. */
  readonly headings: readonly string[]
  readonly rows: readonly Row[]
}

export interface Row {
  /** The place in the file, from 1, without the headings. */
  readonly number: number
  /** As many as there are headings. */
  readonly cells: readonly string[]
}

/** What a property is filled with: a column of the file, or the same text in each row. */
export type Origin = { readonly heading: string } | { readonly constant: string }

/** By the paths of properties, as headings write them: `contactPoints.1.address.place`. */
export type Mapping = ReadonlyMap<string, Origin>

/** Headings that are empty or stand twice get names of their own, and columns without anything in them are left out. */
export function tableOf(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  nameless: (number: number) => string,
): Table {
  const width = rows.reduce((most, { length }) => Math.max(most, length), headings.length)
  const names = new Map<string, number>()
  for (let at = 0; at < width; at++) {
    const cells = () => rows.some((row) => (row[at] ?? '') !== '')
    if (headings[at] || cells()) names.set(nameFor(headings[at] || nameless(at + 1), names), at)
  }
  const columns = [...names.values()]
  return {
    headings: [...names.keys()],
    rows: rows.map((row, at) => ({ number: at + 1, cells: columns.map((column) => row[column] ?? '') })),
  }
}

/** The service knows no letter case in headings. */
function nameFor(given: string, taken: ReadonlyMap<string, number>): string {
  const isTaken = (name: string) => taken.keys().some((other) => other.toLowerCase() === name.toLowerCase())
  for (let count = 1; ; count++) {
    const name = count === 1 ? given : `${given} (${count})`
    if (!isTaken(name)) return name
  }
}

export const headingsIn = (mapping: Mapping): ReadonlySet<string> =>
  new Set([...mapping.values()].flatMap((origin) => ('heading' in origin ? [origin.heading] : [])))

/** The columns that mean something as CSV, and the line in which each row begins. */
export function csvOf(
  { headings, rows }: Table,
  mapping: Mapping,
  separator: string,
): { readonly text: string; readonly lines: readonly number[] } {
  const used = headingsIn(mapping)
  // Where all are constants, one column is sent and left out.
  const columns = [...headings.keys()].filter((at) => used.has(headings[at] ?? '') || (used.size === 0 && at === 0))
  const written: string[] = []
  const lines: number[] = []
  let line = 1
  for (const cells of [headings, ...rows.map((row) => row.cells)]) {
    const text = columns.map((at) => quoted(cells[at] ?? '', separator)).join(separator)
    lines.push(line)
    written.push(text)
    line += text.split('\n').length
  }
  return { text: `${written.join('\n')}\n`, lines: lines.slice(1) }
}

function quoted(cell: string, separator: string): string {
  const text = cell.replaceAll(/\r\n?/g, '\n').replaceAll('\u0000', '')
  const isPlain = !text.includes('"') && !text.includes('\n') && !text.includes(separator)
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}

/** As the service reads it: JSON is YAML. What has no property is left out. */
export function mapOf({ headings }: Pick<Table, 'headings'>, mapping: Mapping): string {
  const map = new Map<string, string | null>(headings.map((heading) => [heading, null]))
  for (const [path, origin] of mapping) {
    if ('constant' in origin) map.set(path, `= '${origin.constant.replaceAll("'", "''")}'`)
    else map.set(origin.heading, path)
  }
  return JSON.stringify(Object.fromEntries(map))
}

/** `/contactPoints/0/address/place` of `contactPoints.1.address.place`. */
export function pointerOf(path: string): string {
  const parts = path.split('.').map((part) => (/^\d+$/.test(part) ? String(Number(part) - 1) : part))
  return `/${parts.join('/')}`
}

/** The path of a property that a finding names as `contactPoints[0].address.place`. */
export const pathOfFinding = (field: string): string =>
  field.replaceAll(/\[(\d+)\]/g, (_index, digits: string) => `.${Number(digits) + 1}`)
