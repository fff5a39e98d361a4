// A row as the columns of a document's own table: names without regard to case, every value in its property's type.

import { parseDateTime } from '../base/dates.ts'
import { asBoolean, asInteger, asNumber, asText } from '../base/scalars.ts'
import type { JsonObject, JsonValue } from '../base/strict-json.ts'
import { isStorable, nearestName } from '../base/text.ts'
import { type DocumentDefinition, isByDefault, type Properties, type ValueProperty } from '../model/document.ts'
import type { SqlValue } from '../store/statement.ts'

export interface RowFinding {
  /** The property, with its group before it. */
  readonly column: string
  readonly message: string
}

export type ColumnValues = Record<string, SqlValue>

const LONGEST_TEXT = 10_000

/** What a caller may give: every value that stands in a column of the document's own table. */
export class RowReader {
  readonly #definition: DocumentDefinition
  readonly #companyId: string

  constructor(definition: DocumentDefinition, companyId: string) {
    this.#definition = definition
    this.#companyId = companyId
  }

  /** The names of a CSV file that are none of ours, each with the nearest that is. */
  unknownNames(names: readonly string[]): string[] {
    const known = [...namesIn(this.#definition.properties)]
    return names.flatMap((name) => {
      if (known.some((one) => one.toLowerCase() === name.toLowerCase())) return []
      const nearest = nearestName(name, known)
      return [`there is no property '${name}'${nearest ? `; did you mean '${nearest}'?` : ''}`]
    })
  }

  /** The columns that a record gives, or everything that is wrong with it. */
  read(record: JsonObject): { columns: ColumnValues; findings: readonly RowFinding[] } {
    const elsewhere = this.companyFinding(record)
    const [columns, findings]: [ColumnValues, RowFinding[]] = [{}, elsewhere ? [elsewhere] : []]
    this.#readInto(columns, findings, record, this.#definition.properties, '')
    for (const name of this.#definition.key) {
      const property = this.#definition.properties[name]
      if (name === 'companyId' || property?.kind !== 'value' || !('column' in property.source)) continue
      const isFound = findings.some((finding) => finding.column === name)
      if (columns[property.source.column] === undefined && !isFound) {
        findings.push({ column: name, message: `The ${name} field is required.` })
      }
    }
    return { columns, findings }
  }

  #readInto(columns: ColumnValues, findings: RowFinding[], record: JsonObject, properties: Properties, path: string) {
    for (const [given, json] of Object.entries(record)) {
      const name = namesOf(properties).get(given.toLowerCase())
      const property = name === undefined ? undefined : properties[name]
      const column = path + (name ?? given)
      if (!property) {
        const nearest = nearestName(given, Object.keys(properties))
        findings.push({ column, message: `there is no such property${nearest ? `; did you mean '${nearest}'?` : ''}` })
      } else if (json === null || column === 'lastUpdated' || column === 'companyId') continue
      else if (property.kind === 'group') {
        if (typeof json === 'object' && !Array.isArray(json)) {
          this.#readInto(columns, findings, json, property.properties, `${column}.`)
        } else findings.push({ column, message: 'must be an object' })
      } else if (property.kind === 'value') readValue(columns, findings, property, json, column)
    }
  }

  /** What is wrong with the company that a record names, if it does. */
  companyFinding(record: JsonObject): RowFinding | undefined {
    const [, given] = Object.entries(record).find(([name]) => name.toLowerCase() === 'companyid') ?? []
    if (given === undefined || given === null || String(given).toLowerCase() === this.#companyId.toLowerCase()) {
      return undefined
    }
    return { column: 'companyId', message: `is not ${this.#companyId}, into which is imported` }
  }
}

function readValue(
  columns: ColumnValues,
  findings: RowFinding[],
  property: ValueProperty,
  json: JsonValue,
  column: string,
): void {
  if (!('column' in property.source) || property.source.table !== undefined) return
  const value = scalarOf(property, json)
  if (value === undefined) findings.push({ column, message: `must be of type ${property.type}` })
  else if (typeof value === 'string' && (value.length > LONGEST_TEXT || !isStorable(value))) {
    findings.push({ column, message: `must be a text of at most ${LONGEST_TEXT} characters without U+0000` })
  } else columns[property.source.column] = typeof value === 'boolean' ? Number(value) : value
}

function scalarOf({ type }: ValueProperty, json: JsonValue): string | number | boolean | undefined {
  switch (type) {
    case 'string':
      return asText(json)
    case 'integer':
      return asInteger(json)
    case 'number':
      return asNumber(json)
    case 'boolean':
      return asBoolean(json)
    case 'date-time':
      return typeof json === 'string' ? parseDateTime(json) : undefined
  }
}

const known = new WeakMap<Properties, ReadonlyMap<string, string>>()

/** Documented names by those in lower case; made once for each set of properties. */
function namesOf(properties: Properties): ReadonlyMap<string, string> {
  let names = known.get(properties)
  if (!names) {
    names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]))
    known.set(properties, names)
  }
  return names
}

/** All that an export has, and an import takes or passes over; lists and custom fields as wholes. */
function* namesIn(properties: Properties, path = ''): Generator<string> {
  for (const [name, property] of Object.entries(properties)) {
    if (property.kind === 'group' && isByDefault(property)) yield* namesIn(property.properties, `${path}${name}.`)
    else if (property.kind === 'group') for (const inner of namesIn(property.properties, `${path}${name}.`)) yield inner
    else if (property.kind !== 'association') yield path + name
  }
}
