import { expect, it } from 'vitest'
import { builtInDocuments } from '../../app/setup/built-in-documents.ts'
import { findersIn } from '../../app/setup/setup-task.ts'
import { systemClock } from '../../base/clock.ts'
import { formatProblem, readSetup } from './read-setup.ts'

const { findBuiltIn } = findersIn(builtInDocuments(systemClock))

/** The problems of a company with these figures. */
function problemsOf(...figures: string[]): string[] {
  const text = `version: 1
documents:
  - name: orders
    key: [orderNo]
    properties: { orderNo: { type: string }, day: { type: date-time }, total: { type: decimal, scale: 2 } }
companies:
  - id: EN
    name: Example
    figures:
${figures.map((figure) => `      - ${figure}`).join('\n')}`
  return (readSetup(text, {}, findBuiltIn).problems ?? []).map((problem) => formatProblem('x.yaml', problem))
}

it('takes a count and a sum, of what a filter leaves and by a day or a period', () => {
  expect(
    problemsOf(
      '{ document: customers, filter: "countryCode eq \'NO\'", title: { EN: Norway, DE: Norwegen } }',
      '{ document: orders, sum: total, by: day }',
      '{ document: general-ledger-transactions, sum: amounts/amount, by: period }',
    ),
  ).toEqual([])
})

it.each([
  ['{ document: orderss }', /figures\[0\]\.document: .*'?orderss'?/],
  ['{ document: orders, filter: totl gt 1 }', /figures\[0\]\.filter: Unknown property 'totl' .*did you mean 'total'/],
  ['{ document: orders, sum: totl }', /figures\[0\]\.sum: .*'totl'.*did you mean 'total'/],
  ['{ document: orders, sum: orderNo }', /figures\[0\]\.sum: /],
  ['{ document: orders, by: orderNo }', /figures\[0\]\.by: orderNo is no period and no day/],
  ['{ document: orders, colour: red }', /figures\[0\]\.colour: /],
])('refuses %s at its place', (figure, problem) => {
  const problems = problemsOf(figure)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(problem)
})

it('takes three at most', () => {
  expect(problemsOf(...Array.from({ length: 4 }, () => '{ document: orders }'))[0]).toMatch(/figures: /)
})
