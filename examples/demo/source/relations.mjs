// What belongs to what: bodies of POST /v1/attribute-relations.
import { dayBefore, readList, rowsOf } from './read.mjs'

const open = { from: '1900-01-01', to: '2099-12-31' }

/** Relations of the Norwegian company, in the order in which an administrator would enter them. */
export function relationsOfNorway(random, lists) {
  const relate = relator('EN')
  const { costCentres, employees, projects } = lists
  return [
    ...rowsOf(costCentres).flatMap((row) => departmentsOf(relate, row)),
    ...headsOf(relate, employees, rowsOf(costCentres)),
    ...employees.flatMap((person) => costCentresOf(random, relate, person, rowsOf(costCentres))),
    ...readList('absence-reasons').map((row) => relate('C0', row.id, 'C1', row.costCentre)),
    ...readList('wage-types').map((row) => relate('WT', row.id, 'A0', row.account)),
    ...projects.map((row) => relate('C5', row.id, 'C1', row.costCentre, { from: row.since })),
    ...projects.flatMap((row) => managersOf(relate, row)),
    // kept since 2024
    ...projects.filter((row) => row.group && row.since >= '2024').map((row) => relate('C5', row.id, 'A5', row.group)),
    ...rowsOf(readList('accounts'))
      .filter((row) => row.tax)
      .map((row) => relate('A0', row.id, 'TX', row.tax)),
    ...readList('product-groups').map((row) => relate('PG', row.id, 'A0', row.account)),
    ...rowsOf(lists.items).map((row) => relate('IT', row.id, 'PG', row.group)),
    ...lists.warehouses.map((row) => relate('WH', row.id, 'C1', row.costCentre)),
    ...districtManagers(relate, employees),
    ...readList('countries').flatMap((row) => currenciesOf(relate, row)),
    ...rowsOf(readList('accounts')).map((row) => relate('A0', row.id, 'AG', row.id.charAt(0))),
  ]
}

export function relationsOfSweden(lists) {
  const relate = relator('SV')
  const absences = { SJUK: '110', VAB: '110', SEM: '100', FLD: '110', KOMP: '100', UTB: '110', TJL: '110' }
  return [
    ...lists.costCentres.flatMap((row) => departmentsOf(relate, row)),
    ...lists.employees.map((row) => relate('RE', row.id, 'C1', row.costCentre, { from: row.since })),
    ...Object.entries(absences).map(([reason, costCentre]) => relate('C0', reason, 'C1', costCentre)),
  ]
}

function relator(companyId) {
  return (attributeId, attributeValue, relatedAttributeId, relationValue, { from, to, percentage = 100 } = {}) => ({
    document: 'attribute-relations',
    attributeId,
    attributeValue,
    relatedAttributeId,
    relationValue,
    companyId,
    dateFrom: `${from ?? open.from}T00:00:00.000Z`,
    dateTo: `${to ?? open.to}T00:00:00.000Z`,
    percentage,
  })
}

/** `530:40 520:60` are shares of departments, `710` is one department with all of it. */
function departmentsOf(relate, { id, departments, until2023 }) {
  const since = until2023 ? '2024-01-01' : undefined
  const today = departments.split(' ').map((share) => {
    const [department, percentage = 100] = share.split(':')
    return relate('C1', id, 'C2', department, { from: since, percentage: Number(percentage) })
  })
  return until2023 ? [relate('C1', id, 'C2', until2023, { to: '2023-12-31' }), ...today] : today
}

/** Who has been longest in a cost centre of the department leads it. */
function headsOf(relate, employees, costCentres) {
  return readList('departments').map(({ id }) => {
    const own = costCentres.filter((row) => row.departments.includes(id)).map((row) => row.id)
    const head = employees.find((person) => own.includes(person.costCentre))
    return relate('C2', id, 'RE', head.id, { from: head.since })
  })
}

/** Most work for one cost centre. Some share their time between two, some have moved, some have left. */
function costCentresOf(random, relate, person, costCentres) {
  const to = (costCentre, more) => relate('RE', person.id, 'C1', costCentre, { from: person.since, ...more })
  const near = costCentres.filter(
    (c) => c.id !== person.costCentre && c.id.slice(0, 2) === person.costCentre.slice(0, 2),
  )
  const other = near.length > 0 ? random.pick(near).id : undefined
  const draw = random.whole(1, 100)
  if (other && draw <= 10) {
    const share = random.pick([50, 60, 75, 80])
    return [to(person.costCentre, { percentage: share }), to(other, { percentage: 100 - share })]
  }
  const moved = `${random.whole(2021, 2026)}-01-01`
  if (other && draw <= 18 && moved > person.since) {
    return [to(other, { to: dayBefore(moved) }), to(person.costCentre, { from: moved })]
  }
  if (draw <= 22 && person.since < '2020-01-01') return [to(person.costCentre, { to: '2026-08-31' })]
  return [to(person.costCentre)]
}

function managersOf(relate, { id, since, managers: [first, second, takenOver] }) {
  if (!second) return [relate('C5', id, 'RE', first, { from: since })]
  return [
    relate('C5', id, 'RE', first, { from: since, to: dayBefore(takenOver) }),
    relate('C5', id, 'RE', second, { from: takenOver }),
  ]
}

/** The longest serving seller of a district's branches; sellers of the export cost centre for the rest. */
function districtManagers(relate, employees) {
  const branches = readList('branches')
  const managers = [...new Set(branches.map((branch) => branch.district))].map((district) => {
    return [district, branches.filter((branch) => branch.district === district).map((branch) => `${branch.id}10`)]
  })
  return [...managers, ['ABROAD', ['1430']], ['OFF', ['1410']]].map(([district, places]) => {
    const manager = employees.find((person) => places.includes(person.costCentre))
    return relate('ZO', district, 'RE', manager.id)
  })
}

/** A country has one currency at a time; Bulgaria had another one until it took the euro. */
function currenciesOf(relate, { id, currency, since }) {
  if (!currency) return []
  const now = relate('CO', id, 'CU', currency, { from: since || undefined })
  return id === 'BG' ? [relate('CO', id, 'CU', 'BGN', { to: dayBefore(since) }), now] : [now]
}
