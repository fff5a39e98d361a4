// Checks company.yaml and the files of records beside it against each other and counts what is in them:
// `node examples/demo/check.mjs`.
import { scryptSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { checkCustomerLines } from './source/check-customers.mjs'
import { checkOwnRecords } from './source/check-own-records.mjs'

const findings = []
const require = (condition, finding) => condition || findings.push(finding)
const read = (file) => readFileSync(new URL(file, import.meta.url), 'utf8')

const text = read('company.yaml')
const setup = parse(text)
require(isDeepStrictEqual(setup, parse(text, { version: '1.1' })), 'YAML 1.1 and 1.2 read company.yaml differently')

const companies = new Map(setup.companies.map((company) => [company.id, company]))
const attributesOf = (company) => new Map(company.attributes.map((attribute) => [attribute.id, attribute]))
const unique = (ids, what) => require(new Set(ids).size === ids.length, `${what}: an id stands twice`)

for (const company of companies.values()) checkCompany(company)
const workOrders = setup.documents.find((document) => document.name === 'work-orders')
for (const property of Object.values(workOrders.properties)) {
  for (const company of companies.values()) checkSource(company, property, `documents of ${company.id}`)
}
checkAccess()
const linesOf = (file) =>
  read(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const records = linesOf('records.ndjson')
checkRecords()
const customers = linesOf('customers.ndjson')
checkCustomerLines(customers, companies, require)
const ownRecords = Object.fromEntries(
  ['suppliers', 'employees', 'exchange-rates', 'purchase-requests', 'grid-views'].map((name) => [
    name,
    linesOf(`${name}.ndjson`),
  ]),
)
for (const [name, own] of Object.entries(ownRecords)) {
  const document = setup.documents.find((one) => one.name === name)
  checkOwnRecords(document, own, companies, require)
}
report()

function checkCompany(company) {
  const attributes = attributesOf(company)
  unique([...attributes.keys(), ...company.relations.map((r) => r.id)], company.id)
  unique(
    [...attributes.values()].map((a) => a.name),
    `${company.id} names of attributes`,
  )
  unique(
    company.relations.map((r) => `${r.attributeId}>${r.relatedAttributeId}`),
    `${company.id} relations`,
  )
  for (const attribute of attributes.values()) {
    require(!attribute.owner || attributes.has(attribute.owner.attributeId), `${company.id} ${attribute.id}: owner`)
  }
  for (const relation of company.relations) {
    require(attributes.has(relation.attributeId), `${company.id} ${relation.id}: attributeId`)
    require(attributes.has(relation.relatedAttributeId), `${company.id} ${relation.id}: relatedAttributeId`)
  }
  for (const [attributeId, values] of Object.entries(company.attributeValues)) {
    const attribute = attributes.get(attributeId)
    require(attribute, `${company.id} values of ${attributeId}: no such attribute`)
    for (const [value, description] of Object.entries(values)) checkValue(company.id, attribute, value, description)
  }
  for (const type of company.documentTypes) {
    for (const index of type.indexes) checkSource(company, index, `${company.id} ${type.id} ${index.sequenceNo}`)
    require(type.indexes.every((index, i) => index.sequenceNo === i + 1), `${company.id} ${type.id}: sequenceNo`)
  }
  checkCustomers(company)
}

function checkValue(companyId, { id, values: rule = {}, numbering }, value, description) {
  const where = `${companyId} ${id} ${value}`
  require(/^[A-Z0-9-]+$/.test(value), `${where}: characters`)
  require(!rule.pattern || new RegExp(`^(?:${rule.pattern})$`).test(value), `${where}: pattern`)
  require(!rule.maxLength || value.length <= rule.maxLength, `${where}: maxLength`)
  if (rule.type === 'number') {
    require(String(Number(value)) === value, `${where}: no number`)
    require(Number(value) >= rule.minimum && Number(value) <= rule.maximum, `${where}: range`)
  }
  const number = numbering && Number(value.slice(numbering.prefix.length))
  require(!numbering || number < numbering.from || number > numbering.to, `${where}: within its numbering series`)
  require(typeof description === 'string' &&
    description.length > 0 &&
    description.length <= 100, `${where}: description`)
}

function checkSource(company, { attributeId, valueList }, where) {
  require(!attributeId || attributesOf(company).has(attributeId), `${where}: attribute ${attributeId}`)
  require(!valueList || company.valueLists[valueList], `${where}: value list ${valueList}`)
}

function checkCustomers(company) {
  const {
    attributeId,
    mandatoryRelations,
    legalValues,
    generalContactPointType = '1',
    customFieldGroups = [],
  } = company.customers
  require(attributesOf(company).has(attributeId), `${company.id} customers: attributeId`)
  require(company.attributeValues.AT[generalContactPointType], `${company.id} customers: generalContactPointType`)
  for (const id of mandatoryRelations) {
    const relation = company.relations.find((r) => r.id === id)
    require(relation?.attributeId === attributeId, `${company.id} customers: mandatory relation ${id}`)
    require(company.attributeValues[relation.relatedAttributeId], `${company.id} customers: ${id} has no values`)
  }
  for (const [field, source] of Object.entries(legalValues)) checkSource(company, source, `${company.id} ${field}`)
  for (const { legalValues: source = {}, name } of customFieldGroups.flatMap((group) => group.fields)) {
    checkSource(company, source, `${company.id} ${name}`)
  }
}

function checkAccess() {
  const roles = new Set(setup.roles.map((role) => role.id))
  const users = new Map(setup.users.map((user) => [user.id, user]))
  for (const user of users.values()) {
    require(user.roles[user.defaultCompany], `user ${user.id}: no role in the default company`)
    for (const [companyId, ids] of Object.entries(user.roles)) {
      require(companies.has(companyId) && ids.every((id) => roles.has(id)), `user ${user.id}: roles in ${companyId}`)
    }
  }
  const secrets = { demo: 'demo-secret', 'demo-reader': 'reader-secret', 'demo-sverige': 'sverige-secret' }
  for (const client of setup.clients) {
    require(users.has(client.user), `client ${client.id}: user`)
    const [, N, r, p, salt, hash] = client.secretHash.split('$')
    const wanted = Buffer.from(hash, 'base64')
    const key = scryptSync(secrets[client.id], Buffer.from(salt, 'base64'), wanted.length, { N: +N, r: +r, p: +p })
    require(key.equals(wanted) && wanted.length === 32, `client ${client.id}: secretHash`)
  }
}

function checkRecords() {
  unique(
    records.map((r) => [r.companyId, r.attributeId, r.attributeValue, r.relatedAttributeId, r.relationValue].join()),
    'records',
  )
  const groups = new Map()
  for (const record of records) {
    const where = [record.companyId, record.attributeId, record.attributeValue, record.relatedAttributeId].join(' ')
    groups.set(where, [...(groups.get(where) ?? []), record])
  }
  for (const [where, group] of groups) {
    const { companyId, attributeId, relatedAttributeId } = group[0]
    const company = companies.get(companyId)
    const relation = company.relations.find(
      (r) => r.attributeId === attributeId && r.relatedAttributeId === relatedAttributeId,
    )
    require(relation, `${where}: relation not configured`)
    for (const id of [attributeId, relatedAttributeId]) {
      require(attributesOf(company).get(id).maintenance !== 'system', `${where}: ${id} is maintained by the system`)
    }
    for (const record of group) {
      require(record.document === 'attribute-relations', `${where}: document`)
      require(company.attributeValues[attributeId][record.attributeValue], `${where}: attributeValue`)
      require(company.attributeValues[relatedAttributeId][record.relationValue], `${where}: ${record.relationValue}`)
      require(new Date(record.dateFrom).toJSON() === record.dateFrom, `${where}: dateFrom`)
      require(new Date(record.dateTo).toJSON() === record.dateTo &&
        record.dateFrom <= record.dateTo, `${where}: dateTo`)
      const then = group.filter((r) => r.dateFrom <= record.dateFrom && r.dateTo >= record.dateFrom)
      require(then.reduce((sum, r) => sum + r.percentage, 0) === 100, `${where}: not 100 % on ${record.dateFrom}`)
      require(relation?.multiple || then.length === 1, `${where}: overlap on ${record.dateFrom}`)
    }
  }
}

function report() {
  for (const company of companies.values()) {
    const counts = Object.entries(company.attributeValues).map(([id, values]) => [id, Object.keys(values).length])
    const total = counts.reduce((sum, [, count]) => sum + count, 0)
    const relations = records.filter((record) => record.companyId === company.id).length
    const ours = customers.filter((customer) => customer.companyId === company.id).length
    const values = counts.map((c) => c.join(' ')).join(', ')
    const own = Object.entries(ownRecords).map(
      ([name, all]) => `${all.filter((one) => one.companyId === company.id).length} ${name}`,
    )
    console.log(
      `${company.id}: ${total} values (${values}), ${relations} relations, ${ours} customers, ${own.join(', ')}`,
    )
  }
  console.log(findings.length === 0 ? 'everything resolves' : findings.join('\n'))
  process.exitCode = findings.length === 0 ? 0 : 1
}
