// Invents what no public list holds: branches' cost centres, people, suppliers, projects, items and assets.
import { padded, readList, readText, rowsOf } from './read.mjs'

const words = JSON.parse(readText('words.json'))

/** People in one cost centre of a branch, by the end of its number. */
const headcount = { '00': 1, 10: 3, 20: 2, 30: 2, 40: 2, 50: 2 }

/** The head office's cost centres of the list, then six for each branch: 2000 to 3250. */
export function inventCostCentres() {
  const list = readList('cost-centres')
  for (const branch of readList('branches')) {
    list.push({ comment: `# Branch ${branch.place}` })
    for (const task of readList('branch-functions')) {
      list.push({
        id: branch.id + task.id,
        description: `${branch.place}, ${task.description}`,
        departments: task.departments,
        until2023: task.until2023,
      })
    }
  }
  return list
}

/** Names that no two people share. */
function* names(random, given, family) {
  const used = new Set()
  while (true) {
    const name = `${random.pick(given.split(' '))} ${random.pick(family.split(' '))}`
    if (!used.has(name)) yield name
    used.add(name)
  }
}

/** Some two hundred people; the number grows with the day on which they came. */
export function inventEmployees(random, costCentres) {
  const name = names(random, words.givenNames, words.familyNames)
  const posts = rowsOf(costCentres).flatMap(({ id }) =>
    Array(id < '2000' ? (id.endsWith('00') ? 1 : random.whole(1, 2)) : headcount[id.slice(2)]).fill(id),
  )
  return byDay(posts.map((costCentre) => ({ costCentre, since: random.month(1998, 2026) }))).map((post, i) => {
    return { id: String(10001 + i), description: name.next().value, ...post }
  })
}

/** Those of goods and freight are drawn; those of rent, electricity and the like are a list after them. */
export function inventSuppliers(random) {
  const ofGoods = words.supplierNames.split(' ').flatMap((first, i) =>
    [0, 1, 2].map((j) => {
      const [trade, form] = words.supplierTrades[(i + j) % words.supplierTrades.length].split(':')
      return { id: String(20000 + 10 * (3 * i + j) + random.whole(0, 9)), description: `${first} ${trade} ${form}` }
    }),
  )
  return [...ofGoods, ...readList('suppliers-overhead')]
}

export function inventWarehouses() {
  return [
    { id: 'W01', description: 'Central warehouse, goods for resale', costCentre: '1610' },
    { id: 'W02', description: 'Central warehouse, hire pumps', costCentre: '1710' },
    ...readList('branches').map((branch) => ({
      id: `W${branch.id}`,
      description: `${branch.place}, branch warehouse`,
      costCentre: `${branch.id}20`,
    })),
  ]
}

/** Projects of customers at each branch, and a few of our own; all older than the series that numbers new ones. */
export function inventProjects(random, employees) {
  const ofCustomers = readList('branches').flatMap((branch) =>
    words.places[branch.id].flatMap((place) => projectsAt(random, branch, place)),
  )
  const ofOurOwn = Object.entries(words.internalProjects).flatMap(([costCentre, all]) =>
    all.map((what) => ({ description: `Internal: ${what}`, costCentre, since: random.month(2024, 2026) })),
  )
  return byDay([...ofCustomers, ...ofOurOwn]).map((project, i) => {
    return { id: `P${padded(1001 + i, 5)}`, ...project, managers: managersOf(random, project, employees) }
  })
}

/** Two or three pieces of work of the kinds that a branch does. */
function projectsAt(random, branch, place) {
  const draws = Array.from({ length: random.whole(2, 3) }, () => {
    const group = random.pick(branch.projects.split(' '))
    return { work: random.pick(words.projects[group]), group, since: random.month(2019, 2026) }
  })
  return [...new Map(draws.map((draw) => [draw.work, draw])).values()].map(({ work, group, since }) => {
    return { description: `${work}, ${place}`, group, costCentre: `${branch.id}50`, since }
  })
}

function byDay(list) {
  return list.sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0))
}

/** One manager from the project's own cost centre or the project office; at times a second one who took over. */
function managersOf(random, project, employees) {
  const able = employees.filter((e) => [project.costCentre, '1800', '1810'].includes(e.costCentre))
  const there = able.filter((e) => e.since <= project.since)
  const first = random.pick(there.length > 0 ? there : employees.slice(0, 10))
  const second = random.pick(able)
  const takenOver = `${Number(project.since.slice(0, 4)) + 1}-07-01`
  if (!random.chance(0.15) || second === first || second.since > takenOver || takenOver > '2026-07-01')
    return [first.id]
  return [first.id, second.id, takenOver]
}

export function inventItems() {
  return readList('item-families').flatMap((family) => [
    { comment: `# ${family.description}` },
    ...family.sizes.split(' ').map((size) => ({
      id: `${family.id}-${size}`,
      description: `${family.description}, ${family.unit} ${Number(size)}`,
      group: family.group,
    })),
  ])
}

export function inventAssets() {
  const branches = readList('branches')
  return Object.entries(words.assets).flatMap(([kind, [what, each]]) =>
    branches
      .flatMap((branch) => Array.from({ length: each }, (_, n) => `${branch.place}${each > 1 ? ` ${n + 1}` : ''}`))
      .map((place, i) => ({ id: `${kind}-${padded(i + 1, 3)}`, description: `${what}, ${place}` })),
  )
}

/** The Swedish subsidiary: eight places with three cost centres each, a few people in each, a few projects. */
export function inventSweden(random) {
  const name = names(random, words.givenNamesSv, words.familyNamesSv)
  const ofPlaces = words.placesSv.flatMap((place, i) =>
    words.branchFunctionsSv.map(({ id, description, departments }) => {
      return { id: `${20 + i}${id}`, description: `${place}, ${description}`, departments }
    }),
  )
  const costCentres = [...words.headOfficeSv, ...ofPlaces]
  const employees = costCentres
    .flatMap(({ id }) => Array(random.whole(1, 2)).fill(id))
    .map((costCentre, i) => ({
      id: String(4001 + i),
      description: name.next().value,
      costCentre,
      since: random.month(2012, 2025),
    }))
  const projects = words.placesSv.flatMap((place, i) =>
    words.projectsSv
      .filter((_, j) => (i + j) % 2 === 0)
      .map((work, j) => ({ id: `S${2001 + 3 * i + j}`, description: `${work}, ${place}` })),
  )
  return { costCentres, employees, projects }
}
