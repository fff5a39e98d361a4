// Converts a row to the columns of a document's table. Names are case-insensitive; values get the type of the property.

import { parseDateTime } from '../base/dates.ts'
import { getOrInsert } from '../base/memo.ts'
import { unitsOf } from '../base/numbers/decimal.ts'
import { asBoolean, asInteger, asNumber, asText, lossOf } from '../base/numbers/scalars.ts'
import { isObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { didYouMean, foldName, isLongerThan, isStorable, shortened } from '../base/text.ts'
import type { DocumentDefinition, Properties, Property, ValueProperty, ValueType } from '../model/document.ts'
import { lossMessage } from '../model/read-record.ts'
import type { SqlValue } from '../sql/dialect.ts'
import type { RowFinding } from './rows/read-rows.ts'

export type ColumnValues = Record<string, SqlValue>

const MAX_TEXT_LENGTH = 10_000
/** A row is rejected by the first, and the nearest legal name of each takes time. */
const MOST_UNKNOWN = 20

/** Reads the values that are stored in a column of the document's table. */
export class RowReader {
  readonly #definition: DocumentDefinition
  readonly #companyId: string

  constructor(definition: DocumentDefinition, companyId: string) {
    this.#definition = definition
    this.#companyId = companyId
  }

  /** The columns of a record, decimals in units of their last digit, and everything that is wrong with it. */
  read(record: JsonObject): { columns: ColumnValues; findings: readonly RowFinding[] } {
    const companyFinding = this.companyFinding(record)
    const [columns, findings]: [ColumnValues, RowFinding[]] = [{}, companyFinding ? [companyFinding] : []]
    this.#readInto(columns, findings, record, this.#definition.properties, '')
    for (const name of this.#definition.key) {
      const property = this.#definition.properties[name]
      if (name === 'companyId' || property?.kind !== 'value' || !('column' in property.source)) continue
      const isReported = findings.some((finding) => finding.column === name)
      if (columns[property.source.column] === undefined && !isReported) {
        findings.push({ column: name, message: `The ${name} field is required.` })
      }
    }
    return { columns, findings }
  }

  #readInto(columns: ColumnValues, findings: RowFinding[], record: JsonObject, properties: Properties, path: string) {
    const members = membersOf(properties, path)
    const seen = new Set<Member>()
    for (const given of Object.keys(record)) {
      const json = record[given]!
      const member = members.get(given) ?? members.get(foldName(given))
      if (!member) {
        if (findings.length < MOST_UNKNOWN) findings.push(unknownProperty(given, properties, path))
        continue
      }
      if (seen.has(member)) findings.push({ column: member.column, message: 'stands twice' })
      else if (json !== null && !member.isIgnored) this.#readMember(columns, findings, member, json)
      seen.add(member)
    }
  }

  #readMember(columns: ColumnValues, findings: RowFinding[], { property, column }: Member, json: JsonValue): void {
    if (property.kind === 'group') {
      if (isObject(json)) this.#readInto(columns, findings, json, property.properties, `${column}.`)
      else findings.push({ column, message: 'must be an object' })
    } else if (property.kind === 'value') readValue(columns, findings, property, json, column)
  }

  /**
   * The names in a record that are none, for resources that pass over them; custom fields they know better themselves.
   */
  unknownIn(record: JsonObject, properties = this.#definition.properties, path = ''): RowFinding[] {
    const members = membersOf(properties, path)
    const findings: RowFinding[] = []
    for (const given of Object.keys(record)) {
      if (findings.length >= MOST_UNKNOWN) break
      const json = record[given]
      const member = members.get(given) ?? members.get(foldName(given))
      if (!member && given !== 'notificationMessages') findings.push(unknownProperty(given, properties, path))
      if (member?.property.kind !== 'group' || member.property.isOnRequest || !isObject(json)) continue
      findings.push(...this.unknownIn(json, member.property.properties, `${member.column}.`))
    }
    return findings
  }

  /** A finding if the record names another company. */
  companyFinding(record: JsonObject): RowFinding | undefined {
    const given = record[Object.keys(record).find((name) => foldName(name) === 'companyid') ?? '']
    if (given === undefined || given === null || foldName(String(given)) === foldName(this.#companyId)) {
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
  const longest = property.maxLength ?? MAX_TEXT_LENGTH
  if (value === undefined) findings.push({ column, message: typeMessage(property, json) })
  else if (typeof value === 'string' && (isLongerThan(value, longest) || !isStorable(value))) {
    findings.push({ column, message: `must be a text of at most ${longest} characters without U+0000` })
  } else columns[property.source.column] = typeof value === 'boolean' ? Number(value) : value
}

function scalarOf({ type, scale = 0 }: ValueProperty, json: JsonValue): string | number | boolean | undefined {
  switch (type) {
    case 'string':
      return asText(json)
    case 'integer':
      return asInteger(json)
    case 'number':
      return asNumber(json)
    case 'decimal':
      return unitsOf(json, scale)
    case 'boolean':
      return asBoolean(json)
    case 'date-time':
      return typeof json === 'string' ? parseDateTime(json) : undefined
  }
}

function typeMessage({ type, scale }: ValueProperty, json: JsonValue): string {
  const loss = lossOf(type, json, scale)
  if (loss !== undefined) return lossMessage(loss, json)
  const found = typeof json === 'string' ? `'${shortened(json)}'` : shortened(JSON.stringify(json))
  return `must be of type ${type}${EXAMPLES[type] ?? ''}, which ${found} is not`
}

const EXAMPLES: Partial<Record<ValueType, string>> = { boolean: ' (true or false)', 'date-time': ' (2026-01-31)' }

function unknownProperty(given: string, properties: Properties, path: string): RowFinding {
  const message = `there is no such property${didYouMean(given, Object.keys(properties))}`
  return { column: path + shortened(given), message }
}

interface Member {
  readonly property: Property
  /** The name, with its groups as prefix. */
  readonly column: string
  /** The import itself sets the value. */
  readonly isIgnored: boolean
}

const membersCache = new WeakMap<Properties, ReadonlyMap<string, Member>>()

/**
 * Members by folded and by documented name; made once for each set of properties, which stand in one place of a
 * document.
 */
function membersOf(properties: Properties, path: string): ReadonlyMap<string, Member> {
  return getOrInsert(membersCache, properties, () => {
    const entries = Object.entries(properties).map(([name, property]): [string, Member] => {
      const column = path + name
      return [name, { property, column, isIgnored: column === 'lastUpdated' || column === 'companyId' }]
    })
    return new Map([...entries.map(([name, member]): [string, Member] => [foldName(name), member]), ...entries])
  })
}
