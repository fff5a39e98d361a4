import { describe, expect, it } from 'vitest'
import { planCollection } from '../../src/query/plan.ts'
import { customerDocument } from '../../src/records/kinds/customer-document.ts'
import { visitsWithin, workOf } from '../../src/sql/rows/work.ts'

function workOfQuestion(options: { filter?: string; select?: string; orderBy?: string }) {
  const plan = planCollection(customerDocument(undefined), {
    filter: options.filter,
    select: options.select ?? 'customerId',
    orderBy: options.orderBy,
    offset: 0,
    limit: undefined,
  })
  return workOf(plan, plan.select, false)
}

describe('the work for each row', () => {
  it.each([
    ["customerName eq 'x'", "customerName eq 'x' or aliasName eq 'y'"],
    ["customerName eq 'x'", "contains(customerName,'x')"],
    ["contains(customerName,'x')", "contains(tolower(customerName),'x')"],
    ["contains(countryCode,'x')", "contains(customerName,'x')"],
    ["contains(customerName,'x')", `contains(customerName,'${'x'.repeat(200)}')`],
    ["tolower(customerName) eq 'x'", "contactPoints/any(c: c/address/place eq 'x')"],
    [
      'contactPoints/any(c: c/sortOrder eq 1)',
      "contactPoints/any(c: c/sortOrder eq 1 and tolower(c/address/place) eq 'x')",
    ],
    ['relatedValues/any(r: r/percentage gt 1)', 'relatedValues/any(r: contactPoints/any(c: c/sortOrder gt 1))'],
  ])('of %s is less than that of %s', (less, more) => {
    expect(workOfQuestion({ filter: less }).visit).toBeLessThan(workOfQuestion({ filter: more }).visit)
  })

  it('is more for members of lists, and less for lists as they are stored', () => {
    const [name = 0, members = 0, stored = 0] = [
      'customerName',
      'contactPoints(sortOrder,address)',
      'contactPoints',
    ].map((select) => workOfQuestion({ select }).answer)
    expect(members).toBeGreaterThan(name * 10)
    expect(stored).toBeLessThan(members)
  })
})

describe('how many rows may be scanned', () => {
  it.each([
    [{ visit: 1, answer: 1 }, 1_000, 10, 2_000, 500],
    [{ visit: 1, answer: 1 }, 100_000, 10, 2_000, 2_000],
    [{ visit: 1, answer: 99 }, 1_000, 5, 2_000, 500],
    [{ visit: 10, answer: 90 }, 1_000, 2_000, 2_000, 7],
    [{ visit: 2_000, answer: 1 }, 1_000, 1, 2_000, 0],
  ])('%o within %d units, for %d rows, of %d', (work, units, rows, most, visits) => {
    expect(visitsWithin(work, units, rows, most)).toBe(visits)
  })
})
