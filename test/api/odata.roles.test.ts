// Random roles at both interfaces: what a role shows of rows and properties is the same in OData and at /v1/objects, and
// $metadata has exactly that. TABULARIUM_SEED reproduces a run.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { randomNumbers, SEED, triesOf } from '../support/reliability-test.ts'
import { startRuled } from '../support/ruled-records.ts'
import { onEachStore, type StoreKind } from '../support/world.ts'

const ROOT = '/odata/v4/EN'
const ROLES = triesOf({ long: 6, full: 100 })

interface Subject {
  readonly name: string
  readonly key: readonly string[]
  readonly lists: readonly string[]
  readonly filters: readonly string[]
  readonly hidden: readonly string[]
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'customers',
    key: ['customerId'],
    lists: ['contactPoints', 'relatedValues'],
    filters: [
      "countryCode eq 'NO'",
      "countryCode ne 'NO'",
      'invoice/creditLimit gt 0',
      "contactPoints/any(p: p/address/place eq 'Oslo')",
      "payment/bankAccount eq ''",
    ],
    hidden: [
      'invoice',
      'invoice/creditLimit',
      'payment/bankAccount',
      'contactPoints',
      'relatedValues',
      'countryCode',
      'lastUpdated',
      'customFieldGroups',
      'customFieldGroups/LOYALTY/tier',
      'externalReference',
    ],
  },
  {
    name: 'attribute-values',
    key: ['attributeId', 'attributeValue'],
    lists: ['relatedValues'],
    filters: ["attributeId eq 'C1'", "attributeValue ne 'P2'", "startswith(description,'canary')"],
    hidden: ['customValue', 'relatedValues', 'lastUpdated/updatedBy', 'description'],
  },
  {
    name: 'work-orders',
    key: ['workOrderId'],
    lists: [],
    filters: ["status eq 'N'", "workOrderId ge 'W2'"],
    hidden: ['plan', 'plan/hours', 'status', 'lastUpdated'],
  },
]

interface Role {
  readonly id: string
  readonly rules: Readonly<Record<string, { readonly filter?: string; readonly hidden?: readonly string[] }>>
}

function randomRoles(): readonly Role[] {
  const random = randomNumbers(SEED)
  return Array.from({ length: ROLES }, (_, at) => {
    const rules = SUBJECTS.map(({ name, filters, hidden }) => {
      const filter = filters[Math.floor(random() * filters.length * 1.5)]
      const chosen = hidden.filter(() => random() < 0.3)
      return [name, { ...(filter ? { filter } : {}), hidden: chosen }] as const
    })
    return { id: `random-${at}`, rules: Object.fromEntries(rules.filter(() => random() < 0.8)) }
  })
}

const ALL_ROLES = randomRoles()

/** The company of `rules.yaml` with the random roles. */
async function startRoles(kind: StoreKind) {
  const folder = mkdtempSync(join(tmpdir(), 'roles-'))
  const setup = parse(readFileSync('test/fixtures/rules.yaml', 'utf8'))
  const { secretHash } = setup.clients.find(({ id }: Role) => id === 'rows')
  for (const { id, rules } of ALL_ROLES) {
    setup.roles.push({ id, apis: { objects: ['read'] }, objects: ['*'], rules })
    setup.users.push({ id: `svc-${id}`, defaultCompany: 'EN', roles: { EN: [id] } })
    setup.clients.push({ id, user: `svc-${id}`, secretHash })
  }
  const file = join(folder, 'setup.yaml')
  writeFileSync(file, stringify(setup))
  const world = await startRuled(kind, file)
  rmSync(folder, { recursive: true })
  return world
}

type Json = Readonly<Record<string, unknown>>

/** The paths of all members, also of the texts of codes. */
function pathsOf(object: Json, above = ''): string[] {
  return Object.entries(object).flatMap(([name, inside]) =>
    typeof inside === 'object' ? pathsOf(inside as Json, `${above}${name}/`) : [above + name],
  )
}

/** The same of an entity type in the metadata, with its navigation properties that lead to lists. */
function declaredPaths(metadata: string, type: string, above = ''): string[] {
  const inside = new RegExp(`<(?:Entity|Complex)Type Name="${type}">(.*?)</(?:Entity|Complex)Type>`, 's').exec(metadata)
  const members = [...(inside?.[1] ?? '').matchAll(/<Property Name="(\w+)" Type="([\w.]+)"/g)]
  return members.flatMap(([, name = '', of = '']) =>
    of.startsWith('Tabularium.')
      ? declaredPaths(metadata, of.slice('Tabularium.'.length), `${above}${name}/`)
      : [above + name],
  )
}

onEachStore(
  'OData and random roles',
  (world) => {
    const get = async (url: string, as: string) => {
      const { status, json, text } = await world().send({ as, url })
      return { status, json, text }
    }

    it('show the same rows, properties and items as /v1/objects, and declare no others', async () => {
      const whole = (await get(`${ROOT}/$metadata`, 'admin')).text
      let restricted = 0
      for (const { id, rules } of ALL_ROLES) {
        const { text: metadata } = await get(`${ROOT}/$metadata`, id)
        for (const { name, key, lists } of SUBJECTS) {
          const set = name.replace('-', '_')
          const where = `${id} at ${name} (seed ${SEED}): ${JSON.stringify(rules[name])}`
          const hidden = rules[name]?.hidden ?? []
          const isHidden = (path: string) =>
            hidden.some((one) => path === one || path.startsWith(`${one}/`) || path === `${one}_text`)
          const shown = declaredPaths(whole, set).filter((path) => !isHidden(path))
          expect(declaredPaths(metadata, set), where).toEqual(shown)

          const listed = (await get(`/v1/objects/${name}?orderBy=${key}`, id)).json
          const { json } = await get(`${ROOT}/${set}?$orderby=${key}`, id)
          const keysOf = (rows: readonly Json[]) => rows.map((row) => key.map((part) => row[part]))
          expect(keysOf(json.value), where).toEqual(keysOf(listed))
          expect(json.value, where).toMatchObject(listed)
          for (const row of json.value) expect(pathsOf(row), where).toEqual(shown)

          for (const list of lists) {
            const items = await get(`${ROOT}/${set}_${list}?$orderby=${key},position`, id)
            const isDeclared = metadata.includes(`<EntitySet Name="${set}_${list}"`)
            expect([items.status, isDeclared], where).toEqual(hidden.includes(list) ? [404, false] : [200, true])
            if (items.status === 404) continue
            const parents = (await get(`/v1/objects/${name}?orderBy=${key}&select=${key},${list}`, id)).json
            const flat = parents.flatMap(({ [list]: inside, ...own }: Record<string, readonly Json[]>) =>
              (inside ?? []).map((item) => ({ ...own, ...item })),
            )
            expect(items.json.value.length, where).toBe(flat.length)
            expect(items.json.value, where).toMatchObject(flat)
          }
          if (JSON.stringify(shown).length < JSON.stringify(declaredPaths(whole, set)).length) restricted += 1
        }
      }
      expect(restricted).toBeGreaterThan(1)
    })
  },
  startRoles,
)
