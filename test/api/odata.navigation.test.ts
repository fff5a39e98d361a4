// Lists and associations in answers of OData, for every set that the metadata names: what they add to an answer, and
// what an answer has that is asked for nothing else.
import { beforeAll, describe, expect, it } from 'vitest'
import { insertRows } from '../support/object-records.ts'
import { startRuled } from '../support/ruled-records.ts'
import { onEachStore, type StoreKind, startWorld, type World } from '../support/world.ts'

const ROOT = '/odata/v4/EN'

type Json = Readonly<Record<string, unknown>>

/** A member of a type in the metadata. */
interface Member {
  readonly $Kind?: string
  readonly $Type?: string
  readonly $Collection?: true
}

/** The types of the metadata: members by name, and the key. */
type Types = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The entity sets as the metadata declares them. */
class Metadata {
  readonly sets: readonly string[]
  readonly #types: Types

  constructor(types: Types) {
    this.#types = types
    this.sets = Object.keys(types.Container ?? {}).filter((name) => !name.startsWith('$'))
  }

  keyOf(set: string): readonly string[] {
    return this.#types[set]?.$Key as readonly string[]
  }

  navigationOf(set: string): readonly (readonly [name: string, member: Member])[] {
    return this.#members(set).filter(([, { $Kind }]) => $Kind === 'NavigationProperty')
  }

  /** The properties that every answer of a type has, with the names of the types of groups. */
  propertiesOf(type: string): readonly (readonly [name: string, group: string | undefined])[] {
    return this.#members(type)
      .filter(([, { $Kind }]) => $Kind === undefined)
      .map(([name, member]) => [name, this.#types[typeIn(member)] && typeIn(member)])
  }

  /** What an object lacks of the properties of a type, or has besides; empty for one that has just these. */
  differences(object: Json, type: string, above = ''): readonly string[] {
    const declared = new Map(this.propertiesOf(type))
    const others = Object.keys(object).filter((name) => !declared.has(name))
    const inside = [...declared].flatMap(([name, group]) => {
      if (object[name] === undefined) return [`no ${above}${name}`]
      return group === undefined ? [] : this.differences(object[name] as Json, group, `${above}${name}/`)
    })
    return [...others.map((name) => `${above}${name}`), ...inside]
  }

  #members(type: string): [string, Member][] {
    const members = Object.entries(this.#types[type] ?? {}) as [string, Member][]
    return members.filter(([name]) => !/^\$|@/.test(name))
  }
}

function typeIn({ $Type = '' }: Member): string {
  return $Type.replace('Tabularium.', '')
}

type Started = (kind: StoreKind) => Promise<World & { stop(): Promise<void> }>

/** Records with all lists that the service has, and those of the setup's own documents. */
const WORLDS: readonly (readonly [title: string, client: string, start: Started])[] = [
  ['delivered documents', 'admin', startDelivered],
  ['delivered documents under rules', 'rows', startDelivered],
  ['delivered documents with hidden properties', 'fields', startDelivered],
  ['own documents', 'integration', startOwn],
  ['own documents under rules', 'norwegian', startOwn],
]

async function startDelivered(kind: StoreKind) {
  const world = await startRuled(kind)
  const index = { company_id: 'EN', index_value: 'X', index_key: 'x', place: 1 }
  const rows = [1, 2].map((no) => ({ ...index, document_id: world.documents.note, sequence_no: no }))
  await insertRows(world, 'document_index', rows)
  return world
}

async function startOwn(kind: StoreKind) {
  const world = await startWorld(kind, 'test/fixtures/own-records.yaml')
  const send = async (url: string, body: object) => {
    const { status, json, text } = await world.send({ as: 'integration', method: 'POST', url, body })
    expect([status, text]).toEqual([201, expect.any(String)])
    return json
  }
  for (const supplierName of ['Nordic Paper', 'Nordic Board']) {
    const { supplierId } = await send('/v1/suppliers', {
      supplierName,
      countryCode: 'NO',
      contactPoints: [{ contactPointType: '1', address: { place: 'Oslo' } }],
      bankAccounts: [{ iban: 'NO9386011117947' }, { iban: 'NO8330001234567' }],
      relatedValues: [{ relationId: 'REGION', relatedValue: 'N' }],
    })
    await send('/v1/contracts', { contractId: Number(supplierId), supplierId })
  }
  return world
}

describe.each(WORLDS)('%s', (_title, as, start) => {
  onEachStore(
    'OData and navigation properties',
    (world) => {
      let metadata: Metadata
      beforeAll(async () => {
        metadata = new Metadata((await get('$metadata?$format=json')).json.Tabularium)
      })

      const get = (path: string, headers: Record<string, string> = {}) =>
        world().send({ as, url: path.startsWith('/') ? path : `${ROOT}/${path}`, headers })
      const rowsOf = async (path: string): Promise<readonly Json[]> => {
        const { status, json, text } = await get(path)
        expect([path, status, text]).toEqual([path, 200, expect.any(String)])
        return json.value
      }
      /** The path of an entity; undefined where its key is of a type that paths do not have. */
      const pathOf = async (set: string, row: Json): Promise<string | undefined> => {
        const parts = metadata.keyOf(set).map((name) => {
          const value = row[name]
          return `${name}=${typeof value === 'string' ? `'${encodeURIComponent(value)}'` : value}`
        })
        const path = `${set}(${parts.join(',')})`
        return (await get(path)).status === 200 ? path : undefined
      }

      it('answers the keys of what is asked for navigation properties alone', async () => {
        for (const set of metadata.sets) {
          const names = metadata.navigationOf(set).map(([name]) => name)
          const key = metadata.keyOf(set)
          const whole = await rowsOf(`${set}?$select=${key.join(',')}`)
          for (const select of [...names, ...(names.length > 1 ? [names.join(',')] : [])]) {
            const selected = `${set}?$select=${select}`
            expect(await rowsOf(selected), selected).toEqual(whole)
            expect((await get(selected)).json['@odata.context']).toMatch(new RegExp(`#${set}\\(${key.join(',')}\\)$`))
            const order = `$orderby=${key.map((name) => `${name} desc`).join(',')}`
            const options = `$filter=${key[0]} ne null&${order}&$skip=1&$top=2&$count=true`.replaceAll(' ', '%20')
            const { json } = await get(`${selected}&${options}`)
            expect([json.value, json['@odata.count']]).toEqual([whole.toReversed().slice(1, 3), whole.length])
            expect(await paged(selected), selected).toEqual(whole)
            const path = whole[0] && (await pathOf(set, whole[0]))
            if (path === undefined) continue
            const { '@odata.context': context, ...entity } = (await get(`${path}?$select=${select}`)).json
            expect([context, entity]).toEqual([expect.stringMatching(/\)\/\$entity$/), whole[0]])
          }
        }
      })

      it('answers all declared properties of what is expanded', async () => {
        for (const set of metadata.sets) {
          const key = metadata.keyOf(set).join(',')
          for (const [name, member] of metadata.navigationOf(set)) {
            const path = `${set}?$select=${key}&$expand=${name}`
            const rows = await rowsOf(path)
            const isList = member.$Collection === true
            const found = rows.flatMap((row) => row[name] as Json | readonly Json[])
            const type = typeIn(member)
            for (const one of found)
              expect(metadata.differences(one, type), `${path} ${JSON.stringify(one)}`).toEqual([])
            if (isList) expect(found, path).toEqual(await rowsOf(type))
            const entity = rows[0] && (await pathOf(set, rows[0]))
            if (entity) expect((await get(`${entity}?$expand=${name}`)).json[name]).toEqual(rows[0]?.[name])
            expect((await get(path)).json['@odata.context']).toMatch(new RegExp(`#${set}\\(${key},${name}\\(\\)\\)$`))

            const [place = ''] = isList ? metadata.keyOf(type).slice(-1) : []
            const [first = ''] = metadata.propertiesOf(type).at(-1) ?? []
            for (const selected of [first, ...(isList ? [place, `${key.split(',')[0]},${place}`] : [])]) {
              const { json } = await get(`${path}($select=${selected})`)
              const names = selected.split(',')
              const partly = found.map((one) => Object.fromEntries(names.map((each) => [each, one[each]])))
              expect(json.value.flatMap((row: Json) => row[name])).toEqual(partly)
              expect(json['@odata.context']).toMatch(new RegExp(`#${set}\\(${key},${name}\\(${selected}\\)\\)$`))
            }
          }
        }
      })

      it('names just the part of a group that it answers in the context', async () => {
        for (const set of metadata.sets) {
          for (const [name, group] of metadata.propertiesOf(set)) {
            const inside = group === undefined ? [] : metadata.propertiesOf(group).map(([inner]) => inner)
            const context = async (select: string) =>
              (await get(`${set}?$select=${select}&$top=1`)).json['@odata.context']
            const named = (text: string) => expect.stringMatching(new RegExp(`#${set}\\(${text}\\)$`))
            if (inside.length > 1) expect(await context(`${name}/${inside[0]}`)).toEqual(named(`${name}/${inside[0]}`))
            if (inside.length > 0) expect(await context(name)).toEqual(named(name))
          }
        }
      })

      const paged = async (path: string): Promise<readonly Json[]> => {
        const found: Json[] = []
        for (let next: string | undefined = path; next !== undefined; ) {
          const { json } = await get(next, { prefer: 'odata.maxpagesize=1' })
          found.push(...json.value)
          next = json['@odata.nextLink']?.replace(/^http:\/\/[^/]+/, '')
        }
        return found
      }
    },
    start,
  )
})
