// Makes company.yaml and the records beside it from source/: `node examples/demo/build.mjs`. The same source, the same
// files.
import { createHash, scryptSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { inventCustomers } from './source/customers.mjs'
import { inventEmployeeRecords } from './source/employees.mjs'
import { inventExchangeRates } from './source/exchange-rates.mjs'
import * as invent from './source/invent.mjs'
import { randomOf, readList, readText } from './source/read.mjs'
import { relationsOfNorway, relationsOfSweden } from './source/relations.mjs'
import { inventSupplierRecords } from './source/suppliers.mjs'

const random = randomOf(5000)
const costCentres = invent.inventCostCentres()
const employees = invent.inventEmployees(random, costCentres)
const projects = invent.inventProjects(random, employees)
const items = invent.inventItems()
const warehouses = invent.inventWarehouses()
const suppliers = invent.inventSuppliers(random)
const sweden = invent.inventSweden(random)
const countries = readList('countries')

/** What stands for `<name>` in the template; every other name is a file of source/. */
const lists = {
  'cost-centres': costCentres,
  employees,
  projects,
  items,
  warehouses,
  assets: invent.inventAssets(),
  'cost-centres-sv': sweden.costCentres,
  'employees-sv': sweden.employees,
  'projects-sv': sweden.projects,
  'countries-sv': countries.map((row) => ({ id: row.id, description: row.swedish })),
}

const template = readText('company.template.yaml')
const company = template
  .replace('<own-documents>', () => readText('own-documents.yaml').trimEnd())
  .replace(/^( *)(\w+): <([\w-]+)>$/gm, (_, indent, id, name) => {
    return [`${indent}${id}:`, ...(lists[name] ?? readList(name)).map((row) => `${indent}  ${lineOf(row)}`)].join('\n')
  })
  .replace(/<secret ([\w-]+)>/g, (_, secret) => hashOf(secret))

const records = [...relationsOfNorway(random, { costCentres, employees, projects, items, warehouses })]
records.push(...relationsOfSweden(sweden))

write('company.yaml', company)
write('records.ndjson', linesOf(records))
write('customers.ndjson', linesOf(inventCustomers(employees)))
const employeeRecords = inventEmployeeRecords({ employees, costCentres }, sweden, records)
write('employees.ndjson', linesOf(employeeRecords))
write('suppliers.ndjson', linesOf(inventSupplierRecords(suppliers, employeeRecords)))
write('exchange-rates.ndjson', linesOf(inventExchangeRates()))
const requests = readList('purchase-requests').map((row) => ({ companyId: 'EN', ...row, amount: Number(row.amount) }))
write('purchase-requests.ndjson', linesOf(requests))
write('grid-views.ndjson', linesOf(readList('grid-views').map((row) => ({ companyId: 'EN', ...row }))))

function linesOf(list) {
  return list.map((record) => `${JSON.stringify(record)}\n`).join('')
}

function lineOf({ comment, id, description }) {
  return comment ?? `${scalar(id)}: ${scalar(description)}`
}

/** Quoted where any version of YAML would read something else than this text: NO, 0010, 1e3. */
function scalar(text) {
  return stringify(text, { compat: 'yaml-1.1', lineWidth: 0 }).trim()
}

/** The salt follows from the secret, so that the file stays the same; a real one is drawn at random. */
function hashOf(secret) {
  const salt = createHash('sha256').update(`tabularium demo: ${secret}`).digest().subarray(0, 16)
  const hash = scryptSync(secret, salt, 32, { N: 16384, r: 8, p: 1 })
  return `scrypt$16384$8$1$${salt.toString('base64')}$${hash.toString('base64')}`
}

function write(file, text) {
  writeFileSync(new URL(file, import.meta.url), text)
  console.log(`${file}: ${text.split('\n').length - 1} lines`)
}
