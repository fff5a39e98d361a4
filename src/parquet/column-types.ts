// How the values of each type stand in a Parquet file: the element of its schema, and how a value is read from JSON.
import type { SchemaElement } from 'hyparquet'
import { partsOf } from '../base/long-number.ts'
import type { ColumnType, ParquetColumn } from './parquet-columns.ts'

/** What the writer takes: bytes of UTF-8 for texts, units of the last digit for decimals. */
export type ColumnValue = Uint8Array | bigint | number | boolean

/** Reads a value from the bytes of its JSON, of which it may be a view. */
type Decode = (json: Buffer) => ColumnValue

/** The largest numbers of 64 bits have up to 19 digits. */
const MOST_SHORT_DIGITS = 18
/** A decimal with up to 38 digits takes as many. */
const LONG_DECIMAL_BYTES = 16
const BACKSLASH = 0x5c

/** No column may be null: what is absent has the value that every answer has for it. */
export function schemaElement({ name, type }: ParquetColumn): SchemaElement {
  const common = { name, repetition_type: 'REQUIRED' } as const
  switch (type.kind) {
    case 'string':
      return { ...common, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }
    case 'json':
      return { ...common, type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } }
    case 'integer':
      return { ...common, type: 'INT64' }
    case 'double':
      return { ...common, type: 'DOUBLE' }
    case 'boolean':
      return { ...common, type: 'BOOLEAN' }
    case 'timestamp':
      return { ...common, type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } }
    case 'decimal': {
      const { precision, scale } = type
      const stored =
        precision <= MOST_SHORT_DIGITS
          ? ({ type: 'INT64' } as const)
          : ({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: LONG_DECIMAL_BYTES } as const)
      const logical_type = { type: 'DECIMAL', precision, scale } as const
      return { ...common, ...stored, converted_type: 'DECIMAL', logical_type, precision, scale }
    }
  }
}

export function decoderOf(type: ColumnType): Decode {
  switch (type.kind) {
    case 'string':
      return stringBytes
    case 'json':
      return (json) => json
    case 'integer':
      return (json) => BigInt(json.toString('latin1'))
    case 'double':
      // Those that are no JSON numbers are texts: Infinity, NaN.
      return (json) => Number(json.toString('latin1').replaceAll('"', ''))
    case 'boolean':
      return (json) => json.toString('latin1') === 'true'
    case 'timestamp':
      // Every date-time is in UTC, whether its zone is shown or not.
      return (json) => BigInt(Date.parse(`${json.toString('latin1', 1, json.length - 1).replace('Z', '')}Z`))
    case 'decimal':
      return (json) => unitsOf(json.toString('latin1'), type.precision, type.scale)
  }
}

function stringBytes(json: Buffer): Uint8Array {
  if (json.includes(BACKSLASH)) return Buffer.from(JSON.parse(json.toString()) as string)
  return json.subarray(1, json.length - 1)
}

/** Throws for a number that a column of this type cannot hold, which no answer has. */
function unitsOf(text: string, precision: number, scale: number): bigint {
  const { digits, exponent, isNegative } = partsOf(text)
  if (digits === '') return 0n
  if (exponent + scale < 0 || digits.length + exponent + scale > precision) {
    throw new RangeError(`a number has more digits than decimal(${precision}, ${scale})`)
  }
  const units = BigInt(digits) * 10n ** BigInt(exponent + scale)
  return isNegative ? -units : units
}
