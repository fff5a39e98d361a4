// What check.mjs asks of customers.ndjson: the shape and the lengths that the service's own schema has, every code and
// reference of the setup, and what makes the customers harmless.
import { readFileSync } from 'node:fs'
import { Customer } from '../../../src/model/records/customer.ts'
import { isBankAccount, isCompanyNumber, isLocationNumber } from './numbers.mjs'

const FILE = new URL('../customers.ndjson', import.meta.url)
const MOST_BYTES = 2_500_000
const DAY = /^\d{4}-\d{2}-\d{2}$/
const POSTCODES = {
  NO: /^\d{4}$/,
  DK: /^\d{4}$/,
  SE: /^\d{3} \d{2}$/,
  FI: /^\d{5}$/,
  DE: /^\d{5}$/,
  NL: /^\d{4} [A-Z]{2}$/,
  GB: /^[A-Z]{1,2}\d{1,2} \d[A-Z]{2}$/,
  US: /^\d{5}$/,
}
const PREFIXES = { NO: '+47', DK: '+45', SE: '+46', FI: '+358', DE: '+49', NL: '+31', GB: '+44', US: '+1' }
/** Where each field with legal values stands. */
const CODED = {
  countryCode: (c) => c.countryCode,
  currencyCode: (c) => c.invoice.currencyCode,
  languageCode: (c) => c.invoice.languageCode,
  payMethod: (c) => c.payment?.payMethod,
  paymentTermsId: (c) => c.invoice.paymentTermsId,
  customerGroupId: (c) => c.customerGroupId,
  debtCollectionCode: (c) => c.payment?.debtCollectionCode,
}

/** `require(condition, finding)` keeps the findings. */
export function checkCustomerLines(customers, companies, require) {
  require(readFileSync(FILE).length < MOST_BYTES, `customers: more than ${MOST_BYTES} bytes`)
  const names = customers.map((c) => `${c.companyId} ${c.customerName}`)
  require(new Set(names).size === names.length, 'customers: a name stands twice')
  const numbers = customers.flatMap((c) => c.companyRegistrationNumber ?? [])
  require(new Set(numbers).size === numbers.length, 'customers: a registration number stands twice')
  for (const [index, customer] of customers.entries()) {
    const company = companies.get(customer.companyId)
    const say = (condition, finding) => require(condition, `customers line ${index + 1}: ${finding}`)
    say(company, 'companyId')
    if (company) checkCustomer(customer, company, say)
  }
}

function checkCustomer(customer, company, say) {
  const { customFieldGroups = {}, ...common } = customer
  checkShape(common, Customer.schema, 'customer', say)
  for (const field of ['customerName', 'customerGroupId', 'countryCode', 'contactPoints', 'relatedValues', 'invoice']) {
    say(customer[field], `${field} is missing`)
  }
  say(customer.customerId === undefined && company.customers.numbering, 'customerId: the company numbers it')
  for (const [field, source] of Object.entries(company.customers.legalValues)) {
    const code = CODED[field](customer)
    say(code === undefined || isLegal(company, source, code), `${field} ${code}`)
  }
  say(['Parked', 'Closed', undefined].includes(customer.payment?.status), 'payment.status')
  checkNumbers(customer, say)
  for (const point of customer.contactPoints) checkPoint(point, company, say)
  const { generalContactPointType: general = '1', mandatoryRelations } = company.customers
  say(customer.contactPoints.filter((p) => p.contactPointType === general).length === 1, 'General contact point')
  for (const id of mandatoryRelations)
    say(
      customer.relatedValues.some((r) => r.relationId === id),
      `relation ${id}`,
    )
  checkRelations(customer.relatedValues, company, company.customers.attributeId, say)
  checkCustomFields(customFieldGroups, company, say)
}

/** No member that the schema lacks, none empty or null, none of another type or too long. */
function checkShape(value, schema, where, say) {
  if (schema.type === 'object') {
    say(Object.keys(value).length > 0, `${where} is empty`)
    for (const [name, member] of Object.entries(value)) {
      const inner = schema.properties[name]
      say(inner, `${where}.${name}: no such member`)
      if (inner) checkShape(member, inner, `${where}.${name}`, say)
    }
  } else if (schema.type === 'array') {
    for (const item of value) checkShape(item, schema.items, where, say)
  } else {
    const types = schema.anyOf?.map((one) => one.type) ?? [schema.type === 'integer' ? 'number' : schema.type]
    say(types.includes(typeof value) && value !== '', `${where}: type`)
    say(schema.type !== 'integer' || Number.isInteger(value), `${where}: no integer`)
    say(schema.format !== 'date-time' || isDay(value), `${where}: no day`)
    say(schema.maxLength === undefined || String(value).length <= schema.maxLength, `${where}: too long`)
  }
}

function isDay(text) {
  return DAY.test(text) && new Date(text).toJSON().startsWith(text)
}

export function isLegal(company, { valueList, attributeId }, code) {
  return Object.hasOwn(valueList ? company.valueLists[valueList] : company.attributeValues[attributeId], code)
}

/** The shapes of numbers, with their check digits. */
function checkNumbers({ countryCode, companyRegistrationNumber: number, payment }, say) {
  say(number === undefined || isCompanyNumber(countryCode, number), `companyRegistrationNumber ${number}`)
  const account = payment?.bankAccount
  say(account === undefined || isBankAccount(countryCode, account), `bankAccount ${account}`)
}

export function checkPoint(
  { contactPointType, address, additionalContactInfo: info, phoneNumbers = {} },
  company,
  say,
) {
  const { countryCode, postcode } = address
  say(Object.hasOwn(company.attributeValues.AT, contactPointType), `contactPointType ${contactPointType}`)
  say(isLegal(company, company.customers.legalValues.countryCode, countryCode), `address ${countryCode}`)
  say(POSTCODES[countryCode]?.test(postcode), `postcode ${postcode}`)
  say(address.place && address.streetAddress, 'address')
  for (const mail of [info.eMail, info.eMailCc ?? info.eMail]) {
    say(/^[a-z0-9.-]+@([a-z0-9-]{1,63}\.)?example\.(com|net|org)$/.test(mail), `e-mail ${mail}`)
  }
  say(info.url === undefined || /^https:\/\/[a-z0-9-]{1,63}\.example\.(com|org)$/.test(info.url), `url ${info.url}`)
  say(info.gtin === undefined || isLocationNumber(info.gtin), `gtin ${info.gtin}`)
  for (const telephone of Object.values(phoneNumbers)) {
    say(telephone.startsWith(`${PREFIXES[countryCode]} `) && /^\+[\d ]+$/.test(telephone), `telephone ${telephone}`)
  }
}

export function checkRelations(relatedValues, company, attributeId, say) {
  for (const [index, { relationId, relatedValue, dateFrom, dateTo = '2099-12-31' }] of relatedValues.entries()) {
    const relation = company.relations.find((r) => r.id === relationId)
    say(relation?.attributeId === attributeId, `relation ${relationId}`)
    const values = company.attributeValues[relation?.relatedAttributeId] ?? {}
    say(Object.hasOwn(values, relatedValue), `${relationId} ${relatedValue}`)
    say(dateFrom <= dateTo, `${relationId}: dates`)
    const others = relatedValues.slice(0, index).filter((other) => other.relationId === relationId)
    for (const other of others) {
      say(other.relatedValue !== relatedValue, `${relationId} ${relatedValue} twice`)
      say(relation?.multiple || other.dateTo < dateFrom, `${relationId}: overlap`)
    }
  }
}

function checkCustomFields(groups, company, say) {
  const known = company.customers.customFieldGroups ?? []
  for (const name of Object.keys(groups))
    say(
      known.some((group) => group.name === name),
      `custom fields ${name}`,
    )
  for (const { name: group, fields } of known) {
    const given = groups[group] ?? {}
    for (const name of Object.keys(given))
      say(
        fields.some((field) => field.name === name),
        `${group}.${name}`,
      )
    for (const field of fields) checkCustomField(given[field.name], field, company, say)
  }
}

function checkCustomField(value, { name, type, required, maxLength, minimum, maximum, legalValues }, company, say) {
  if (value === undefined) return say(!required, `${name} is missing`)
  say(type === 'integer' ? Number.isInteger(value) : typeof value === type, `${name}: type`)
  say(maxLength === undefined || value.length <= maxLength, `${name}: too long`)
  say((minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum), `${name}: range`)
  say(legalValues === undefined || isLegal(company, legalValues, value), `${name} ${value}`)
}
