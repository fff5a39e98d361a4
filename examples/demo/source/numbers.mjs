// Numbers with check digits, which begin so that they should belong to no real company, account or telephone.

const DIGITS = '0123456789'

/** The digit that completes a number by weights modulo 11; none where it would be 10. */
export function mod11(digits, weights) {
  const sum = weights.reduce((total, weight, i) => total + weight * Number(digits[i]), 0)
  const check = (11 - (sum % 11)) % 11
  return check === 10 ? undefined : String(check)
}

/** The digit that completes a number by doubling every second one (Luhn). */
export function luhn(digits) {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}

/** The digit that completes a GTIN or GLN. */
export function gs1(digits) {
  const sum = [...digits].reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0)
  return String((10 - (sum % 10)) % 10)
}

/** An IBAN of a country and an account, with the check digits of ISO 7064. */
export function iban(country, account) {
  const numeric = [...`${account}${country}00`].map((c) => Number.parseInt(c, 36)).join('')
  return `${country}${String(98n - (BigInt(numeric) % 97n)).padStart(2, '0')}${account}`
}

const WEIGHTS = {
  NO: [3, 2, 7, 6, 5, 4, 3, 2],
  DK: [2, 7, 6, 5, 4, 3, 2],
  FI: [7, 9, 10, 5, 8, 4, 2],
  account: [5, 4, 3, 2, 7, 6, 5, 4, 3, 2],
}

/** How the number of a company looks; `c` is its check digit. 31 is a series for tests in Norway, the others are far from those in use. */
const COMPANY_NUMBERS = {
  NO: ['31######c', (digits) => mod11(digits, WEIGHTS.NO)],
  SE: ['599###-###c', luhn],
  DK: ['99#####c', (digits) => mod11(digits, WEIGHTS.DK)],
  FI: ['99#####-c', (digits) => mod11(digits, WEIGHTS.FI)],
  DE: ['HRB 9#####', () => ''],
  NL: ['00######', () => ''],
  GB: ['99######', () => ''],
}

/** Bank code 0000 or TEST. */
const ACCOUNTS = {
  SE: '000################0',
  DK: '0000##########',
  FI: '000000########',
  DE: '00000000##########',
  NL: 'TEST##########',
  GB: 'TEST000000########',
}

export function companyNumber(random, country) {
  const [pattern, check] = COMPANY_NUMBERS[country]
  return completed(random, pattern, check)
}

export function bankAccount(random, country) {
  if (country === 'NO') return completed(random, '0000######c', (digits) => mod11(digits, WEIGHTS.account))
  return iban(country, drawn(random, ACCOUNTS[country]))
}

/** A GLN of the prefix 0000000. */
export function locationNumber(random) {
  return completed(random, '0000000#####c', gs1)
}

/** A number from a series for films and tests, or one that begins as no number of the country does. */
export function telephone(random, patterns) {
  return drawn(random, random.pick(patterns))
}

export function isCompanyNumber(country, number) {
  const [pattern, check] = COMPANY_NUMBERS[country]
  if (!shape(pattern).test(number)) return false
  return !pattern.endsWith('c') || check(number.slice(0, -1).replace('-', '')) === number.at(-1)
}

export function isBankAccount(country, number) {
  if (country !== 'NO')
    return shape(ACCOUNTS[country]).test(number.slice(4)) && iban(country, number.slice(4)) === number
  return /^0000\d{7}$/.test(number) && mod11(number, WEIGHTS.account) === number.at(-1)
}

export function isLocationNumber(number) {
  return /^\d{13}$/.test(number) && gs1(number.slice(0, -1)) === number.at(-1)
}

function shape(pattern) {
  return new RegExp(`^${pattern.replace(/[#c]/g, '\\d')}$`)
}

function drawn(random, pattern) {
  return pattern.replace(/#/g, () => DIGITS[random.whole(0, 9)])
}

/** Draws until there is a check digit. */
function completed(random, pattern, check) {
  for (;;) {
    const number = drawn(random, pattern)
    if (!pattern.endsWith('c')) return number
    const digit = check(number.slice(0, -1).replace('-', ''))
    if (digit !== undefined) return number.slice(0, -1) + digit
  }
}
