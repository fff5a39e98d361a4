// What is kept of the employees besides their values: bodies of POST /v1/employees, managers before those they manage.
import { slugOf } from './contact-points.mjs'
import { readList, rowsOf } from './read.mjs'

const OPEN = '2099-12-31'

/**
 * The records of both companies. `norway` and `sweden` have people and cost centres; `relations` say for which cost
 * centre a person works, and until when.
 */
export function inventEmployeeRecords(norway, sweden, relations) {
  return [
    ...recordsOf({
      companyId: 'EN',
      ...norway,
      positions: byId(readList('positions')),
      above: aboveInNorway,
      site: 'example-nordic.example.com',
      relations,
    }),
    ...recordsOf({
      companyId: 'SV',
      ...sweden,
      positions: byId(readList('positions-sv')),
      above: (id) => (id === '100' ? undefined : '100'),
      site: 'example-svenska.example.com',
      relations,
    }),
  ]
}

/** The cost centre whose leader leads that of this one. */
function aboveInNorway(id) {
  if (id === '1010') return undefined
  if (id.endsWith('00')) return id < '2000' ? '1010' : '1400'
  return id < '1100' ? '1010' : `${id.slice(0, 2)}00`
}

function recordsOf({ companyId, employees, costCentres, positions, above, site, relations }) {
  const places = byId(rowsOf(costCentres))
  const people = employees.map((person) => ({ ...person, ...workOf(companyId, person, relations) }))
  const leaders = new Map()
  for (const person of people) {
    if (person.until === OPEN && !leaders.has(person.costCentre)) leaders.set(person.costCentre, person)
  }
  const levelOf = (person) => (person ? 1 + levelOf(managerOf(person)) : 0)
  const managerOf = (person) => {
    const { costCentre } = person
    const leader = leaders.get(costCentre)
    return leader && leader !== person ? leader : leaderOf(above(costCentre))
  }
  const leaderOf = (id) => id && (leaders.get(id) ?? leaderOf(above(id)))
  const ordered = people
    .map((person) => ({ person, level: levelOf(person) }))
    .sort((one, other) => one.level - other.level || Number(one.person.id) - Number(other.person.id))
  return ordered.map(({ person }) => {
    const { id, description, costCentre, since, until } = person
    const { lead, position } = positions.get(costCentre) ?? positions.get(costCentre.slice(2))
    return {
      companyId,
      employeeId: id,
      employeeName: description,
      position: leaders.get(costCentre) === person ? lead : position,
      departmentId: places.get(costCentre).departments.split(/[ :]/)[0],
      costCentreId: costCentre,
      ...(managerOf(person) ? { managerId: managerOf(person).id } : {}),
      eMail: `${slugOf(description).replaceAll('-', '.')}@${site}`,
      employedFrom: since,
      ...(until === OPEN ? {} : { employedTo: until, status: 'C' }),
    }
  })
}

/** The cost centre of the greatest share today, or of the last day. */
function workOf(companyId, { id }, relations) {
  const ours = relations.filter(
    (one) => one.companyId === companyId && one.attributeId === 'RE' && one.attributeValue === id,
  )
  const until = ours
    .map((one) => one.dateTo)
    .sort()
    .at(-1)
  const last = ours.filter((one) => one.dateTo === until).sort((one, other) => other.percentage - one.percentage)
  return { costCentre: last[0].relationValue, until: until.slice(0, 10) }
}

function byId(list) {
  return new Map(list.map((row) => [row.id, row]))
}
