import { describe, expect, it } from 'vitest'
import { association, type DocumentDefinition, group, list, value } from '../../model/document.ts'
import { csvColumns, headingsByFinding } from './csv-columns.ts'
import { FileError } from './text-lines.ts'

const phones = group({ telephone1: value('string', 'telephone1') }, { aliases: ['phoneNumber'] })
const properties = {
  orderId: value('integer', 'order_id'),
  plan: group({ hours: value('number', 'hours') }),
  own: group({ field: value('string', 'field') }, { isOnRequest: true }),
  points: list({ place: value('string', 'place'), phoneNumbers: phones }, { json: 'points' }),
  other: association({ properties: {} } as unknown as DocumentDefinition, []),
}
const refusalOf = (...headings: string[]) => {
  try {
    csvColumns(properties, headings)
  } catch (error) {
    if (error instanceof FileError) return error.message
  }
  return undefined
}

describe('the headings of a CSV file', () => {
  it('are properties in any letter case, with groups and items of lists before a dot, or lists as wholes', () => {
    const columns = csvColumns(properties, [
      'ORDERID',
      'Plan.hours',
      'own.field',
      'points.2.phoneNumber.telephone1',
      '',
    ])
    expect(columns.map(({ path, type }) => [path, type])).toEqual([
      [['orderId'], 'integer'],
      [['plan', 'hours'], 'number'],
      [['own', 'field'], 'string'],
      [['points', 1, 'phoneNumbers', 'telephone1'], 'string'],
      [[], 'nameless'],
    ])
    expect(csvColumns(properties, ['points', '#line']).map(({ type }) => type)).toEqual(['json', 'none'])
  })

  it('are refused with everything that is wrong with them', () => {
    expect(refusalOf('orderId', 'plan.hour', 'OrderID', 'other')).toBe(
      "in the first line there is no property 'plan.hour'; did you mean 'plan.hours'?, and the property 'orderId' stands twice, and there is no property 'other'",
    )
  })

  it.each([
    ['points[0].place', "there is no property 'points[0].place'; write 'points.1.place'"],
    ['points/1/place', "there is no property 'points/1/place'; write 'points.1.place'"],
    ['points.0.place', "there is no property 'points.0.place'; did you mean 'points.1.place'?"],
    ['points.201.place', "there is no property 'points.201.place'; did you mean 'points.1.place'?"],
    ['plan', "there is no property 'plan'; did you mean 'plan.hours'?"],
    ['orderId.more', "there is no property 'orderId.more'"],
  ])('%s is refused with the right spelling', (heading, message) => {
    expect(refusalOf(heading)).toBe(`in the first line ${message}`)
  })

  it.each([[['points', 'points.1.place']], [['points.1.place', 'points']], [['points.2.place', 'POINTS.2.place']]])(
    'name a property once: %j',
    (headings) => {
      expect(refusalOf(...headings)).toMatch(/stands twice$/)
    },
  )

  it('have a short refusal, however many are unknown', () => {
    const message = refusalOf(...Array.from({ length: 100_000 }, (_, at) => `column ${at}`)) ?? ''
    expect(message.length).toBeLessThan(1_000)
    expect(message).toMatch(/, and more$/)
  })

  it('name the cells of findings, whose items are counted without empty ones', () => {
    const columns = csvColumns(properties, ['orderId', 'points.1.place', 'points.3.place'])
    expect([...headingsByFinding(columns, ['1', '', 'Oslo'])]).toEqual([
      ['orderId', 'orderId'],
      ['points[0].place', 'points.3.place'],
    ])
  })
})
