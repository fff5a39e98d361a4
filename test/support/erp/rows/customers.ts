import type { Base, Row } from '../kind.ts'
import { stamp } from '../kind.ts'
import { chosen, mixed, seedOf } from '../random.ts'
import { contactPoint } from './contact-point.ts'
import { momentOf, type World } from './world.ts'

const NAMES = ['Fjord', 'Nordlys', 'Granitt', 'Havn', "O'Brien & Co", 'Br\u00f8dr. Lie', 'Skog']
const COUNTRIES = ['GB', 'NL', 'NO', 'SE']
const STATES = ['N', 'N', 'N', 'N', 'N', 'N', 'P', 'C']

/** The number of the first customer; all have as many digits. */
export function firstCustomer(size: number): number {
  return size < 900_000 ? 100_000 : 10_000_000
}

export function customersBase({ companyId, seed, sizes }: World, zone: 'Z' | ''): Base {
  const own = seedOf(seed, 'customers')
  const first = firstCustomer(sizes.customers)
  const updatedAt = (at: number) => momentOf(mixed(own + 1, at) / 2 ** 32)

  function row(at: number): Row {
    const number = mixed(own, at)
    const countryCode = chosen(COUNTRIES, number)
    return {
      aliasName: `ALIAS ${at}`,
      companyId,
      companyRegistrationNumber: String(900_000_000 + at),
      contactPoints: [
        contactPoint('1', 0, number, countryCode),
        ...(number % 4 === 0 ? [contactPoint('2', 1, number >>> 3, countryCode)] : []),
      ],
      countryCode,
      customerGroupId: chosen(['DOM', 'EXP'], number >>> 5),
      customerId: String(first + at),
      customerName: `${chosen(NAMES, number >>> 7)} ${at}`,
      externalReference: number % 3 === 0 ? number : `X${number}`,
      invoice: {
        calculatePayDiscountOnTax: number % 2 === 0,
        checkCreditOnHeadOffice: false,
        creditLimit: (number % 1000) * 1000,
        currencyCode: chosen(['EUR', 'GBP', 'NOK'], number >>> 9),
        hasFixedCurrency: false,
        hasFixedPaymentTerms: number % 5 === 0,
        hasFixedTaxSystem: false,
        languageCode: 'EN',
        paymentTermsId: chosen(['14', '30'], number >>> 11),
      },
      lastUpdated: { updatedAt: stamp(updatedAt(at), zone), updatedBy: `USER${number % 7}` },
      payment: {
        bankAccount: String(10_000_000_000 + number),
        debtCollectionCode: '',
        expiryDate: `2099-12-31T00:00:00.000${zone}`,
        payMethod: 'IP',
        postalAccount: '',
        status: chosen(STATES, number >>> 13),
      },
      relatedValues: [],
    }
  }
  return { size: sizes.customers, row, updatedAt, key: (at) => [String(first + at)] }
}
