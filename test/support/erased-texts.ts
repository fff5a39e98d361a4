// Texts of a person that occur nowhere else, and where they are found.
import { readFileSync } from 'node:fs'
import type { Place } from './place.ts'

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

/** The markers in the files, and in everything that the database tells, decompressed; `ownTables` of the setup. */
export async function foundIn(
  place: Place,
  markers: readonly string[],
  ownTables: readonly string[] = [],
): Promise<string[]> {
  const files = await place.storedFiles()
  const texts = files.map((file) => contentOf(file).toString('latin1').toLowerCase())
  const tables = [
    'audit_entry',
    'customer',
    'attribute_value',
    'attribute_relation',
    'document',
    'kept_answer',
    'slow_query',
    'subscription_event',
    'subscription_attempt',
    ...ownTables,
  ]
  for (const table of tables) texts.push(JSON.stringify(await place.sql(`select * from ${table}`)).toLowerCase())
  const dictionaries = await place.sql('select bytes from journal_dictionary')
  texts.push(
    ...dictionaries.map(({ bytes }) =>
      Buffer.from(bytes as unknown as Uint8Array)
        .toString()
        .toLowerCase(),
    ),
  )
  return markers.filter((one) => texts.some((text) => text.includes(one.toLowerCase())))
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
