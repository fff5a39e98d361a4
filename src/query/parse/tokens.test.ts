import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseFilter } from './filter.ts'
import { shapeOf } from './tokens.ts'
import type { Expression, Literal, Operand } from './tree.ts'

it.each([
  ["a eq 'x'", 'a eq ?', ['string x']],
  ["a eq 'it''s' or a eq ''", 'a eq ? or a eq ?', ["string it's", 'string ']],
  ['a ge -1.5e3 and b lt .5', 'a ge # and b lt #', ['number -1.5e3', 'number .5']],
  ['a1 eq 1 and b_2/c3 eq 2', 'a1 eq # and b_2/c3 eq #', ['number 1', 'number 2']],
  ['a le 2026-01-31t10:00z', 'a le @', ['date 2026-01-31t10:00z']],
  ["a in ('x', 7,2026-01-31)", 'a in (?, #,@)', ['string x', 'number 7', 'date 2026-01-31']],
  ["a eq null or b eq true or c eq 'null'", 'a eq null or b eq true or c eq ?', ['string null']],
  ["a eq '1 and b eq 2'", 'a eq ?', ['string 1 and b eq 2']],
])('the shape of %s is %s', (text, shape, literals) => {
  const found = shapeOf(text)
  expect(found?.shape).toBe(shape)
  expect(found?.literals.map((one) => `${one.type} ${one.text}`)).toEqual(literals)
})

it.each(["a eq 'x\u0000'", "a eq '\ud800'", `a eq '${'x'.repeat(8_000)}'`])('%.20j has none', (text) => {
  expect(shapeOf(text)).toBeUndefined()
})

const inOperand = (operand: Operand): Literal[] =>
  operand.kind === 'literal' ? [operand] : operand.kind === 'call' ? operand.args.flatMap(inOperand) : []

function literalsIn(tree: Expression): Literal[] {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return tree.terms.flatMap(literalsIn)
    case 'not':
      return literalsIn(tree.term)
    case 'compare':
      return [...inOperand(tree.left), ...inOperand(tree.right)]
    case 'in':
      return [...inOperand(tree.operand), ...tree.values]
    case 'test':
      return inOperand(tree.operand)
    default:
      return tree.body ? literalsIn(tree.body) : []
  }
}

const numbered = (text: string) => literalsIn(parseFilter(text, true)).filter(({ at }) => at !== undefined)

const literal = fc.oneof(
  fc.constantFrom("''", "'''x'", "'1'", '1', '-5', '+.5e1', '12.', '2026-01-31', '2026-01-31T10:00Z', 'null', 'true'),
  fc.string({ maxLength: 4 }).map((text) => `'${text.replaceAll("'", "''").replaceAll('\0', '')}'`),
)
const path = fc.constantFrom('a', 'a1', 'b/c2', '_9', '\u00e6\u017f1', 'datetime')
const leaf = fc.oneof(
  fc.tuple(path, fc.constantFrom(' eq ', '  GE\t', ' ne '), literal).map((parts) => parts.join('')),
  fc.tuple(literal, path).map(([one, name]) => `${one} lt ${name}`),
  fc.tuple(path, fc.array(literal, { minLength: 1, maxLength: 3 })).map(([name, list]) => `${name} in(${list.join()})`),
  fc.tuple(path, literal).map(([name, one]) => `contains(${name},${one})`),
  fc.tuple(path, literal).map(([name, one]) => `l/any(x1:x1/${name} eq ${one})`),
)
const filters = fc.array(leaf, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' and '))

it('has the values that a parser finds', () => {
  fc.assert(
    fc.property(filters, (text) => {
      expect(shapeOf(text)?.literals).toEqual(numbered(text))
    }),
  )
})

it('is the same for other values, and then the parser finds these', () => {
  const other = fc.tuple(filters, fc.array(literal, { minLength: 9, maxLength: 9 }))
  fc.assert(
    fc.property(other, ([text, texts]) => {
      const { shape = '', literals = [] } = shapeOf(text) ?? {}
      const others = literals.map(({ type }) => texts.find((one) => shapeOf(one)?.literals[0]?.type === type) ?? '1')
      const filled = shape.replace(/[?#@]/g, () => others.shift() ?? '')
      if (shapeOf(filled)?.shape === shape) expect(numbered(filled)).toEqual(shapeOf(filled)?.literals)
    }),
  )
})
