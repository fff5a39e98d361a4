// What check.mjs asks of the records of the setup's own documents: that they obey their declaration, and that the numbers
// of suppliers have their check digits and belong to nobody.
import { checkPoint, checkRelations, isLegal } from './check-customers.mjs'
import { iban, isBankAccount, isCompanyNumber } from './numbers.mjs'

/** Members that no property declares. */
const BESIDE = ['contactPoints', 'relatedValues']

/** `require(condition, finding)` keeps the findings. */
export function checkOwnRecords(document, records, companies, require) {
  const keys = records.map((record) => keyOf(document, record))
  const known = new Set(keys)
  require(known.size === keys.length, `${document.name}: a key stands twice`)
  const seen = new Set()
  for (const [index, record] of records.entries()) {
    const company = companies.get(record.companyId)
    const say = (condition, finding) => require(condition, `${document.name} line ${index + 1}: ${finding}`)
    say(company, 'companyId')
    checkMembers(record, document.properties, { company, say })
    checkUnique(document, record, seen, say)
    checkReferences(document, record, seen, say)
    seen.add(keyOf(document, record))
    if (document.name === 'suppliers') checkSupplier(record, document, company, say)
  }
}

function keyOf({ name, key }, record) {
  return [name, ...key.map((part) => record[part])].join(' ')
}

function checkMembers(given, properties, { company, say }) {
  for (const name of Object.keys(given)) say(properties[name] || BESIDE.includes(name), `${name}: no such member`)
  for (const [name, property] of Object.entries(properties)) {
    const value = given[name]
    if (property.group) checkMembers(value ?? {}, property.group, { company, say })
    else if (property.list) for (const item of value ?? []) checkMembers(item, property.list, { company, say })
    else if (!property.reference) checkValue(name, value, property, company, say)
  }
}

function checkValue(name, value, property, company, say) {
  if (value === undefined) return say(!property.required, `${name} is missing`)
  const { type, maxLength, pattern, minimum, maximum, scale = 2, legalValues } = property
  say(typeof value === (['string', 'date-time'].includes(type) ? 'string' : 'number'), `${name}: type`)
  say(value !== '', `${name}: empty`)
  say(type !== 'date-time' || new Date(value).toJSON().startsWith(value), `${name}: no day`)
  say(type !== 'decimal' || Number(value.toFixed(scale)) === value, `${name}: more than ${scale} decimals`)
  say(maxLength === undefined || value.length <= maxLength, `${name}: too long`)
  say(pattern === undefined || new RegExp(`^(?:${pattern})$`).test(value), `${name}: pattern`)
  say((minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum), `${name}: range`)
  say(legalValues === undefined || isLegal(company, legalValues, value), `${name} ${value}`)
}

function checkUnique({ properties }, record, seen, say) {
  for (const [name, { unique }] of Object.entries(properties)) {
    if (!unique || record[name] === undefined) continue
    const value = `${record.companyId} ${name} ${record[name]}`
    say(!seen.has(value), `${name}: ${record[name]} stands twice`)
    seen.add(value)
  }
}

/** A record is loaded after those that it refers to. */
function checkReferences({ properties }, record, seen, say) {
  for (const { reference, key = [] } of Object.values(properties)) {
    if (!reference || record[key[0]] === undefined) continue
    const wanted = [reference, record.companyId, ...key.map((name) => record[name])].join(' ')
    say(seen.has(wanted), `${key}: ${wanted} does not stand before it`)
  }
}

function checkSupplier(supplier, { attributeId }, company, say) {
  const { countryCode, registrationNumber, payment, bankAccounts = [], contactPoints, relatedValues } = supplier
  const { values } = company.attributes.find((attribute) => attribute.id === attributeId)
  const number = Number(supplier.supplierId)
  say(number >= values.minimum && number <= values.maximum, 'supplierId: not a value of its attribute')
  if (countryCode === 'US') {
    say(registrationNumber === 'EIN 00-0000000' && /^0+$/.test(payment.bankAccount), 'numbers')
  } else {
    say(isCompanyNumber(countryCode, registrationNumber), `registrationNumber ${registrationNumber}`)
    say(isBankAccount(countryCode, payment.bankAccount), `bankAccount ${payment.bankAccount}`)
  }
  for (const account of bankAccounts) {
    const [country, rest] = [account.iban.slice(0, 2), account.iban.slice(4)]
    say(country === countryCode && iban(country, rest) === account.iban, `iban ${account.iban}`)
    say(isBankAccount(country, country === 'NO' ? rest : account.iban), `iban ${account.iban}`)
  }
  say(contactPoints.filter((point) => point.contactPointType === '1').length === 1, 'General contact point')
  for (const point of contactPoints) checkPoint(point, company, say)
  checkRelations(relatedValues, company, attributeId, say)
}
