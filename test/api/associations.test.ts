// An association shows what the caller's roles allow of its document: nothing without access to it, and never a row or
// a property that a query of that document would not answer.
import { expect, it } from 'vitest'
import { ledger } from '../support/object-records.ts'
import { startRuled } from '../support/ruled-records.ts'
import { onEachStore } from '../support/world.ts'

const ALL =
  'transactionNumber,customer(customerId,customerName,aliasName,invoice,payment(bankAccount,status[C;T]),contactPoints)'
const FORMS = ['application/json', 'application/x-ndjson', 'text/csv', 'application/schema+json']

onEachStore(
  'An association',
  (world) => {
    const ask = (as: string, options: Record<string, string>, headers: Record<string, string> = {}) =>
      world().send({ as, url: ledger(options), headers })
    const numbers = async (as: string, options: Record<string, string>) => {
      const { status, json } = await ask(as, { select: 'transactionNumber', ...options })
      return status === 200 ? json.map((row: { transactionNumber: number }) => row.transactionNumber) : status
    }

    it('hides everything from a role without its document, in every form', async () => {
      for (const accept of FORMS) {
        const { status, text } = await ask('ledger', { select: ALL }, { accept })
        expect([status, text.match(/canary|Customer 100|4711|"Oslo"|100\d"/g)]).toEqual([200, null])
      }
      const { json } = await ask('ledger', {
        select: 'customer(customerId,customerName,payment(status[C;T]),contactPoints)',
      })
      const nothing = {
        customerId: '',
        customerName: '',
        payment: { status: '', 'status(description)': '' },
        contactPoints: [],
      }
      expect(json).toEqual(Array(3).fill({ customer: nothing }))
      expect((await world().send({ as: 'ledger', url: '/v1/objects/customers' })).status).toBe(403)
    })

    it('finds, counts and orders nothing by hidden properties', async () => {
      for (const filter of [
        "customer/customerName eq 'Customer 1001'",
        "customer/customerId eq '1001'",
        "contains(customer/payment/bankAccount,'canary')",
        'customer/invoice/creditLimit gt 1',
        'customer/contactPoints/any()',
        "customer/contactPoints/any(c: c/address/place eq 'Oslo')",
        "not (customer/countryCode eq '')",
      ]) {
        expect([filter, await numbers('ledger', { filter })]).toEqual([filter, []])
        const count = await world().send({ as: 'ledger', method: 'HEAD', url: ledger({ filter }) })
        expect(count.headers['x-erp-total-count']).toBe('0')
        expect((await numbers('admin', { filter })).length).toBeGreaterThan(0)
      }
      expect(await numbers('ledger', { filter: "customer/countryCode eq ''" })).toEqual([1, 2, 3])
      expect(await numbers('ledger', { orderby: 'customer/customerName desc' })).toEqual([1, 2, 3])
    })

    it('hides what the role for its document hides, though another role gives the right to the first', async () => {
      for (const as of ['split', 'joined']) {
        for (const inside of [
          'invoice',
          'payment',
          'payment(bankAccount)',
          'externalReference',
          'contactPoints',
          'customFieldGroups',
        ]) {
          expect([inside, (await ask(as, { select: `customer(${inside})` })).status]).toEqual([inside, 400])
        }
        for (const filter of ["customer/payment/bankAccount eq 'canary-bank'", 'customer/contactPoints/any()']) {
          expect([filter, await numbers(as, { filter })]).toEqual([filter, 400])
        }
        expect(await numbers(as, { orderby: 'customer/externalReference' })).toBe(400)
        const { json, text } = await ask(as, { select: 'transactionNumber,customer(*)', orderby: 'transactionNumber' })
        expect(text).not.toMatch(/canary|4711/)
        expect(json.map((row: { customer: { customerId: string } }) => row.customer.customerId)).toEqual([
          '1001',
          '',
          '1001',
        ])
      }
    })

    it('answers each caller by their own rules, also for the same query in turn', async () => {
      const options = { select: 'customer(customerId)', orderby: 'transactionNumber' }
      const expected = {
        admin: ['1001', '1002', '1001'],
        ledger: ['', '', ''],
        split: ['1001', '', '1001'],
        swedish: ['', '1002', ''],
      }
      for (let round = 0; round < 4; round++) {
        for (const [as, ids] of Object.entries(expected)) {
          const { json } = await ask(as, options)
          expect([as, json.map((row: { customer: { customerId: string } }) => row.customer.customerId)]).toEqual([
            as,
            ids,
          ])
        }
      }
    })
  },
  startRuled,
)
