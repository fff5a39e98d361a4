// The bodies of the endpoints of batch operations.
import { type Static, Type } from 'typebox'
import { OPEN_FROM } from '../base/dates.ts'
import type { Translate } from '../errors/sentences.ts'
import { bool, dateTime, integer, record, text } from '../model/schema.ts'
import { separatorName } from '../transfer/rows/separators.ts'
import { type BatchOperation, type ReadWith, type RejectedRow, STATES } from './batch-operation.ts'

/** As many rejected rows of one operation are kept; all are counted. */
export const MAX_RESULTS = 10_000

const readWith = record({
  encoding: text(),
  separator: text({ description: 'Of CSV, as the following.' }),
  decimal: text({ description: '`comma` or `point`; empty where no number told it.' }),
  dates: text({ description: 'The forms of dates that were found.', examples: ['dd.mm.yyyy'] }),
})

const addedCodes = record({
  attributeId: text({ examples: ['C1'] }),
  count: integer(),
  values: Type.Array(Type.String(), { description: 'The first 1,000 of them.' }),
})

export const OperationAnswer = Type.Required(
  record(
    {
      id: text(),
      companyId: text(),
      document: text({ examples: ['customers'] }),
      status: text({
        enum: [...STATES],
        description:
          'N new, W working, C completed (rejected rows are in the results), T terminated by the service, E ended with an error, K cancelled.',
        examples: ['C'],
      }),
      message: text({ description: 'Why it has ended early; empty when it has not.' }),
      update: bool(),
      patch: bool({ description: 'Rows are patches of records that exist.' }),
      validateOnly: bool({ description: 'Rows are checked, and nothing is stored.' }),
      keepIds: bool({ description: 'Ids of the rows are kept where a series gives them.' }),
      addCodes: Type.Array(Type.String(), { description: 'The attributes whose missing codes are added.' }),
      readWith,
      line: integer({ description: 'The last line of the body that is done.' }),
      written: integer({ description: 'Rows that were stored; with `validateOnly`: would be.' }),
      unchanged: integer({ description: 'Rows whose records have these values already.' }),
      rejected: integer({
        description: `Rows that were not; the first ${MAX_RESULTS.toLocaleString('en')} are kept as results.`,
      }),
      codes: Type.Array(addedCodes, { description: 'Codes that were added; with `validateOnly`: would be.' }),
      bytes: integer({ description: 'The size of the body.' }),
      clientId: text(),
      userId: text(),
      requestId: text({ description: 'Of the request that has sent it, which the change log names for its records.' }),
      createdAt: dateTime(),
      startedAt: dateTime(),
      updatedAt: dateTime(),
      endedAt: dateTime(),
    },
    { title: 'BatchOperation' },
  ),
)

const finding = record({
  code: integer({
    description: 'As of the errors of the resource; 0 where the row cannot be read, or breaks none of its rules.',
  }),
  field: text({ description: 'The path of the property, or the heading of the column; empty for the row as a whole.' }),
  message: text(),
})

export const ResultAnswer = record(
  {
    row: integer({ description: 'The line of the body in which the row begins, from 1.', examples: [2] }),
    key: Type.Record(Type.String(), Type.String(), {
      description: 'The properties of its key, as far as they were given.',
    }),
    findings: Type.Array(finding),
  },
  { title: 'BatchOperationResult' },
)

export const PreviewAnswer = Type.Required(
  record(
    {
      readWith,
      message: text({
        description: 'What the rows leave in doubt, and the option that says it; empty where nothing is.',
      }),
      headings: Type.Array(Type.String(), { description: 'The first line, one for each column.' }),
      rows: Type.Array(Type.Array(Type.String()), {
        description: 'The cells of each row; one that is malformed has its text alone.',
      }),
      columns: Type.Array(
        record({
          path: text({ examples: ['contactPoints.1.address.place'] }),
          isRequired: bool(),
          heading: text({ description: 'The heading that probably means it; empty where none does.' }),
        }),
        { description: 'The properties that a heading may mean.' },
      ),
      addableCodes: Type.Array(Type.String(), {
        description: 'The attributes whose missing codes you may have added.',
      }),
    },
    { title: 'RowsPreview' },
  ),
)

export const TakenBackAnswer = Type.Required(
  record(
    {
      removed: integer(),
      restored: integer({ description: 'Those that have their values from before the changes again.' }),
      kept: integer({
        description:
          'Those that somebody else has changed since, that something refers to, that a hold keeps, or whose lines were changed.',
      }),
      from: integer({ description: 'Where the rest begins: the `from` of the request after it; 0 at the end.' }),
    },
    { title: 'TakenBack' },
  ),
)

export function answeredForms(read: ReadWith | undefined): Static<typeof readWith> {
  return {
    encoding: read?.encoding ?? '',
    separator: read?.separator === undefined ? '' : separatorName(read.separator),
    decimal: read?.decimal ?? '',
    dates: read?.dates?.join(', ') ?? '',
  }
}

export function answerOf(
  companyId: string,
  operation: BatchOperation,
  translate: Translate,
): Static<typeof OperationAnswer> {
  const { options, file, readWith: read } = operation
  return {
    id: operation.id,
    companyId,
    document: operation.document,
    status: operation.state,
    message: translate(operation.message),
    update: options.update,
    patch: options.patch !== undefined,
    validateOnly: options.validateOnly,
    keepIds: options.keepIds ?? false,
    addCodes: [...(options.addCodes ?? [])],
    readWith: answeredForms(read),
    line: operation.line,
    written: operation.written,
    unchanged: operation.unchanged,
    rejected: operation.rejected,
    codes: operation.codes.map(({ values, ...codes }) => ({ ...codes, values: [...values] })),
    bytes: file.size,
    clientId: operation.clientId,
    userId: operation.userId,
    requestId: operation.requestId,
    createdAt: operation.createdAt,
    startedAt: operation.startedAt || OPEN_FROM,
    updatedAt: operation.updatedAt,
    endedAt: operation.endedAt || OPEN_FROM,
  }
}

/** `say`: for people. */
export function resultOf({ line, key, findings }: RejectedRow, translate: Translate): Static<typeof ResultAnswer> {
  const told = findings.map(({ code = 0, field, message }) => ({ code, field, message: translate(message) }))
  return { row: line, key: { ...key }, findings: told }
}
