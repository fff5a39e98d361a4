// The parameters of the paths of OData, for the API description.
import { Type } from 'typebox'
import {
  headerParameter,
  type OptionTexts,
  type ParameterDescription,
  pathParameter,
  queryParameter,
} from '../model/option-texts.ts'

/** In the scanner of options, which refuses longer texts. */
const LONGEST_TEXT = 8_000
const MOST_ROWS = 2_147_483_647

function inPath(name: string, description: string, example: string): ParameterDescription {
  return pathParameter(name, description, Type.String({ examples: [example] }))
}

export const companyParameter = inPath('companyId', 'The company to act in. Any letter case.', 'EN')

export const entitySetParameter = inPath(
  'entitySet',
  'An entity set: the service document lists those that the caller may see. Letter case matters.',
  'customers',
)

export const keyParameter = inPath(
  'key',
  "The key of the entity: a text in single quotes, a number as it is. Where several properties are the key, all with their names (`customerId='100000',position=1`).",
  "'100000'",
)

export const navigationParameter = inPath('navigation', 'A list of the entity.', 'contactPoints')

export const fileParameter = inPath(
  'file',
  '`tabularium.pbids`, which opens all entity sets in Power BI, or the name of an entity set with `.odc` behind it, for Excel.',
  'customers.odc',
)

/** Every path takes it. */
export const maxVersionParameter = headerParameter(
  'OData-MaxVersion',
  'The highest version of OData that the client reads: 4.0 or later.',
  Type.String({ examples: ['4.0'] }),
)

/** Every path with records in its answer takes it. */
const pageSizeParameter = headerParameter(
  'Prefer',
  '`odata.maxpagesize=5000`: the most records of a page, 1,000 without it, up to 50,000.',
  Type.String({ examples: ['odata.maxpagesize=1000'] }),
)

function option(name: string, description: string, example?: string): ParameterDescription {
  const examples = example === undefined ? {} : { examples: [example] }
  return queryParameter(`$${name}`, description, Type.String({ maxLength: LONGEST_TEXT, ...examples }))
}

/** Examples of the options that name properties. */
type OptionExamples = Omit<OptionTexts, 'filterable'>

export function filterOption({ filter }: Pick<OptionExamples, 'filter'>): ParameterDescription {
  const operators = '`eq ne gt ge lt le in and or not`'
  const functions = '`contains startswith endswith length tolower toupper trim date year month day`'
  return option(
    'filter',
    `Which records: ${operators}, parentheses, ${functions}, \`any\` and \`all\` on lists. The \`$\` may be left out of every option.`,
    filter,
  )
}

export function selectOption({ select }: Pick<OptionExamples, 'select'>): ParameterDescription {
  return option(
    'select',
    'Which properties, separated by commas: names, paths into groups (`invoice/creditLimit`), `*`; `countryCode_text` is what a code means.',
    select,
  )
}

/** Which records, what of each, and in which order. */
export function rowOptions(examples: OptionExamples): readonly ParameterDescription[] {
  const order = 'The order: paths separated by commas, each with `asc` or `desc` behind it or not.'
  return [filterOption(examples), selectOption(examples), option('orderby', order, examples.orderby)]
}

export const expandOption = option(
  'expand',
  'Which lists and associations are answered too, each with `$select` in parentheses or not.',
  'contactPoints',
)

export const searchOption = option(
  'search',
  'Of `document_archive` alone: words, all of which a document or its file has; `inv*` finds words that begin so.',
)

export const applyOption = option(
  'apply',
  'Answers groups of records instead of records: `groupby((countryCode),aggregate($count as many))`, with `sum`, `min`, `max`, `average` and `countdistinct` of a property, and `filter` before or behind. Not together with `$select`, `$expand` and `$search`.',
)

function rows(name: string, description: string, example: number): ParameterDescription {
  const schema = Type.Integer({ minimum: 0, maximum: MOST_ROWS, examples: [example] })
  return queryParameter(`$${name}`, description, schema)
}

/** Which part of an answer is asked for, and how many records there are. */
const pageOptions: readonly ParameterDescription[] = [
  rows('top', 'At most how many records.', 2),
  rows('skip', 'How many records to skip.', 0),
  queryParameter('$count', 'Whether the answer says how many records there are.', Type.Boolean({ default: false })),
  option('skiptoken', 'The next page: comes from `@odata.nextLink` alone, whose whole address is to be used.'),
]

/** `example`: the format that is answered without the option. */
export function formatOption(description: string, example: string): ParameterDescription {
  return option('format', `Wins over \`Accept\`: ${description}`, example)
}

export const jsonFormatOption = formatOption(
  '`json`, or `application/json` with `odata.metadata=none` for answers without a context.',
  'json',
)

/** Pages take them: they say which records are answered, and how. */
export const pageParameters: readonly ParameterDescription[] = [
  ...pageOptions,
  jsonFormatOption,
  maxVersionParameter,
  pageSizeParameter,
]
