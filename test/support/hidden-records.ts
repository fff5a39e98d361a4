// Records of which a caller may read only some: the hidden ones of each kind, and the visible ones both with hidden
// records beside them and without.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { customerBody, make } from './ruled-records.ts'
import { type StoreKind, startWorld, type World } from './world.ts'

/** `rules.yaml` with relations of customers, one of them mandatory, and a role with access to what is not secret. */
function setupText(): string {
  return readFileSync('test/fixtures/rules.yaml', 'utf8')
    .replace('      attributeId: A4\n', '      attributeId: A4\n      mandatoryRelations: [REL3]\n')
    .replace(
      '\n    attributeValues:',
      `
      - { id: REL3, name: Area, attributeId: A4, relatedAttributeId: C2, multiple: true }
      - { id: REL4, name: Work, attributeId: A4, relatedAttributeId: C3 }
    attributeValues:`,
    )
    .replace(
      '\nusers:',
      `  - id: open
    apis: *everything
    objects: *all
    rules:
      attribute-values: { filter: "description ne 'SECRET'" }
      attribute-relations: { filter: "percentage lt 70" }
      customers: { filter: "countryCode eq 'NO'" }

users:
  - { id: svc-open, defaultCompany: EN, roles: { EN: [open] } }`,
    )
    .replace('\nclients:', '\nclients:\n  - { id: open, user: svc-open, secretEnv: TEST_CLIENT_SECRET }')
}

const SECRET = 71.25

const valueBody = (attributeValue: string, changes: object) => ({ attributeId: 'C1', attributeValue, ...changes })
const related = (relationId: string, relatedValue: string) => ({ relationId, relatedValue })
const relation = (attributeId: string, attributeValue: string, place: string, percentage: number) => {
  const [relatedAttributeId, relationValue] = place.split('/')
  return { attributeId, attributeValue, relatedAttributeId, relationValue, percentage }
}

async function makeAll(world: World): Promise<void> {
  const values = '/v1/attribute-values'
  const relations = '/v1/attribute-relations'
  const both = [related('REL1', '200'), related('REL2', 'P1')]
  await make(world, values, valueBody('H1', { description: 'SECRET', periodTo: 202512, relatedValues: both }))
  await make(world, values, valueBody('H2', { description: 'SECRET', relatedValues: both }))
  await make(world, values, valueBody('H3', { description: 'SECRET', periodTo: 202512 }))
  // The second period is visible, and its relations with it.
  await make(world, values, valueBody('S1', { description: 'SECRET', periodTo: 202412, relatedValues: both }))
  await make(world, values, valueBody('S1', { description: 'x', periodFrom: 202501, periodTo: 202512 }))
  for (const value of ['V1', 'V2', 'V3', 'V4']) await make(world, values, valueBody(value, { description: 'x' }))
  await make(world, relations, relation('C1', 'V1', 'C2/100', SECRET))
  await make(world, relations, relation('C1', 'V1', 'C3/P1', SECRET))
  const later = { dateFrom: '2030-01-01' }
  for (const value of ['V3', 'V4']) await make(world, relations, { ...relation('C1', value, 'C2/200', 10), ...later })
  await make(world, relations, { ...relation('C1', 'V3', 'C2/100', SECRET), dateTo: '2029-12-31' })
  const customer = (id: string, country: string) =>
    make(world, '/v1/customers', customerBody(id, country, { relatedValues: [related('REL3', '100')] }))
  await make(
    world,
    '/v1/customers',
    customerBody('K1', 'SE', { relatedValues: [related('REL3', '200'), related('REL4', 'P1')] }),
  )
  await customer('K2', 'NO')
  await customer('K3', 'NO')
  await make(world, relations, relation('A4', 'K2', 'C2/200', SECRET))
}

/** Starts the service with these records; the client `open` has access to what is not secret. */
export async function startWithHiddenRecords(kind: StoreKind): ReturnType<typeof startWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-unseen-'))
  const file = join(folder, 'setup.yaml')
  writeFileSync(file, setupText())
  try {
    const world = await startWorld(kind, file)
    await makeAll(world)
    return world
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Pairs of keys: that of a record that is hidden or conflicts with a hidden one, and that of one without. */
export const PAIRS = {
  values: [
    ['H1', 'F1'],
    ['H2', 'F1'],
    ['H3', 'F1'],
  ],
  customers: [['K1', 'F1']],
  relations: [
    ['V1', 'V2'],
    ['V3', 'V4'],
  ],
} as const
