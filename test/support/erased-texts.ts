// Texts of a person that occur nowhere else, and where they are found.
import { readFileSync } from 'node:fs'
import type { Place } from './place.ts'
import type { StoreKind } from './world.ts'

/** A part of all markers, which a word index may have cut off the rest. */
export const COMMON = 'xvkjwy'

/** Makes texts that occur nowhere else. */
export class Markers {
  readonly all: string[] = []
  readonly next = (): string => {
    const made = `Zq${this.all.length.toString(36).padStart(2, '0')}${COMMON}`
    this.all.push(made)
    return made
  }
}

export const contactPoints = (text: () => string) => [
  {
    contactPointType: '1',
    additionalContactInfo: {
      contactPerson: text(),
      contactPosition: text(),
      eMail: `${text()}@example.com`,
      eMailCc: text(),
      gtin: text(),
      url: text(),
    },
    address: { countryCode: text(), place: text(), postcode: text(), province: text(), streetAddress: text() },
    phoneNumbers: Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((no) => [`telephone${no}`, text()])),
  },
]

/** All tables of the database. */
export async function tablesOf(place: Place): Promise<string[]> {
  return (await place.sql(LIST_TABLES[place.kind])).map(({ name }) => String(name))
}

export const LIST_TABLES: Readonly<Record<StoreKind, string>> = {
  sqlite: "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
  postgres: "select tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
}

/** The markers in the files, and in everything that the database tells, decompressed. */
export async function foundIn(place: Place, markers: readonly string[]): Promise<string[]> {
  const files = await place.storedFiles()
  const texts = files.map((file) => contentOf(file).toString('latin1').toLowerCase())
  for (const table of ['audit_entry', ...(await tablesOf(place))]) texts.push(await textOf(place, table))
  return markers.filter((one) => texts.some((text) => text.includes(one.toLowerCase())))
}

/** Parts of a word index, which is read as a whole, and from the bytes of its file. */
const INDEX_PARTS = /_(?:config|content|data|docsize|idx)$/

/** The rows of a table, and the texts of its bytes. */
export async function textOf(place: Place, table: string): Promise<string> {
  if (INDEX_PARTS.test(table)) return ''
  const rows = await place.sql(`select * from ${table}`)
  const values = rows.flatMap((row) => Object.values<unknown>(row))
  return values
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value) : String(value)))
    .join('\n')
    .toLowerCase()
}

/** Empty for a file that the database has removed since they were listed. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    return Buffer.alloc(0)
  }
}
