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

type TypeOf = Readonly<Record<string, Member>> & { readonly $Key: readonly string[] }

/** The entity sets as the metadata declares them. */
class Metadata {
  readonly sets: readonly string[]
  readonly #types: Readonly<Record<string, TypeOf>>

  constructor(types: Readonly<Record<string, TypeOf>>) {
    this.#types = types
    this.sets = Object.keys(types.Container ?? {}).filter((name) => !name.startsWith('$'))
  }

  keyOf(set: string): readonly string[] {
    return this.#type(set).$Key
  }

  navigationOf(set: string): readonly (readonly [name: string, member: Member])[] {
    return Object.entries(this.#type(set)).filter(([, { $Kind }]) => $Kind === 'NavigationProperty')
  }

  #type(name: string): TypeOf {
    return this.#types[name] as TypeOf
  }
}

type Started = (kind: StoreKind) => Promise<World & { stop(): Promise<void> }>

/** Records with all lists that the service has, and those of the setup's own documents. */
const WORLDS: readonly (readonly [title: string, client: string, start: Started])[] = [
  ['delivered documents', 'admin', startDelivered],
  ['own documents', 'integration', startOwn],
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
