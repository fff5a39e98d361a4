// The part of a setup file that declares documents: what they are kept by, their properties and their rules.
import Type, { type Static } from 'typebox'
import { GREATEST_SCALE } from '../../base/numbers/decimal.ts'
import { MAX_ITEMS } from '../../model/document.ts'
import {
  flag,
  Id,
  integer,
  LegalValues,
  list,
  Name,
  Numbering,
  oneOf,
  optional,
  section,
  Titled,
  text,
  titles,
} from './schema-parts.ts'

/** The longest text of an own document. */
export const LONGEST_TEXT = 10_000
/** The longest text that the index of a unique property, or of a key, has whole. */
export const LONGEST_INDEXED_TEXT = 255
const LONGEST_PATTERN = 200

const Property = section({
  ...Titled,
  type: oneOf(['string', 'integer', 'number', 'decimal', 'boolean', 'date-time']),
  scale: optional(
    integer(0, GREATEST_SCALE, 'Of a decimal: how many of its 18 digits stand behind the point. Default 2.'),
  ),
  column: optional(text(63, 'Default: the name in snake_case, or as it is.')),
  attributeId: optional(Id),
  valueList: optional(Id),
  required: optional(flag('Whether a record needs it; default false.')),
  maxLength: optional(
    integer(
      1,
      LONGEST_TEXT,
      `Of a string, in characters. Default ${LONGEST_TEXT}; ${LONGEST_INDEXED_TEXT} where it is unique or of the key.`,
    ),
  ),
  pattern: optional(text(LONGEST_PATTERN, 'Of a string: a regular expression for the whole value.')),
  minimum: optional(Type.Number({ description: 'Of an integer, a number or a decimal.' })),
  maximum: optional(Type.Number({ description: 'Of an integer, a number or a decimal.' })),
  legalValues: optional(LegalValues),
  unique: optional(
    flag(
      'Whether no two records of a company, or no two items of a list, have the same; default false. Not for empty ones.',
    ),
  ),
  default: optional(
    Type.Unsafe<string | number | boolean>({
      type: ['string', 'number', 'boolean'],
      description: 'What an absent value is stored and read as.',
    }),
  ),
})

const Members = Type.Record(Type.String(), Property)

const Group = section({ ...Titled, group: Members }, 'Properties that belong together.')

const ListMembers = Type.Record(Type.String(), Type.Union([Property, Group]))

const List = section(
  {
    ...Titled,
    list: ListMembers,
    minItems: optional(integer(1, MAX_ITEMS, 'How many items a record needs; default none.')),
    maxItems: optional(integer(1, MAX_ITEMS, `Default ${MAX_ITEMS}.`)),
  },
  `At most ${MAX_ITEMS} items with these properties.`,
)

const Reference = section(
  {
    ...Titled,
    reference: Name,
    key: list(Name, [1, 5], "The properties that hold the other's key, without the company, in its order."),
  },
  'A record of another document of the setup, or of customers, which must exist.',
)

const Lines = section(
  {
    ...Titled,
    items: Name,
    by: list(Name, [1, 5], 'Its properties that hold the key of this document: the first of its own key.'),
    with: oneOf(
      ['cascade', 'restrict'],
      'Whether DELETE of a record removes its lines with it, or is refused while it has some.',
    ),
  },
  'The records of another document of the setup that refer to this one.',
)

const MAX_EXPRESSION = 500

const ComputedProperty = section(
  {
    ...Titled,
    computed: text(
      MAX_EXPRESSION,
      'Such as quantity * price, days(until, from), concat(code, name), sum(lines/amount), count(lines).',
    ),
  },
  'What the database computes of other properties whenever it is asked; nobody writes it.',
)

const MAX_INDEXES = 10
const MAX_INDEX_COLUMNS = 5

export const Indexes = list(
  list(Name, [1, MAX_INDEX_COLUMNS]),
  [0, MAX_INDEXES],
  'Each a list of properties, such as [status, plan/startDate]; the company stands before them and the key behind.',
)

const MAX_TEXT_INDEXES = 5

export const TextIndexes = list(
  Name,
  [0, MAX_TEXT_INDEXES],
  'Properties in which `contains` is asked often; a text of three characters or more is found by an index.',
)

/** More than a screen shows. */
const MAX_COLUMNS = 30

const MAX_TRANSITIONS = 50
const StateName = text(255)
const Paths = (description: string) => list(text(101), [1, 100], description)

const Transition = section({
  from: StateName,
  to: StateName,
  title: Titled.title,
  roles: optional(list(Id, [1, 20], 'Who may do it. Default: who may change the record.')),
})

/** What a state says to people, beyond how far a record has come. */
const STATE_MEANINGS = ['success', 'failure', 'waiting'] as const

const StateRules = section({
  means: optional(oneOf(STATE_MEANINGS, 'How the console shows it. Default: by its place on the way.')),
  requires: optional(Paths('What is filled in records in this state.')),
  locks: optional(Paths('What no longer changes in records in this state.')),
})

const State = section(
  {
    property: text(101, 'Such as status or payment/status.'),
    closed: text(255, 'What DELETE sets it to.'),
    transitions: optional(
      list(Transition, [1, MAX_TRANSITIONS], 'How the state may change. A new record has the default of the property.'),
    ),
    states: optional(Type.Record(Type.String(), StateRules, { description: 'State -> its rules.' })),
  },
  'A deleted record stays, in this state. Default: DELETE removes it.',
)

const Voucher = section(
  {
    number: text(101, 'The property that all lines of a voucher share, such as voucherNo.'),
    balance: optional(
      text(101, 'The amount whose sum is zero in each voucher, debit positive. The console says where it is not.'),
    ),
  },
  'Records that belong together by a property are shown as one page, with their totals.',
)

export const DocumentDefinition = section({
  name: Type.String({ pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', maxLength: 50 }),
  version: optional(Type.Integer({ minimum: 1, description: 'Default 1.' })),
  ...Titled,
  recordTitle: titles('What people call one of its records, such as Contract: one text, or language -> text.'),
  defaultColumns: optional(
    list(
      text(101),
      [1, MAX_COLUMNS],
      'Properties that a grid shows at first, such as [contractNo, plan/startDate]. Default: the first ones.',
    ),
  ),
  sums: optional(
    list(
      text(101),
      [0, MAX_COLUMNS],
      'Amounts whose sum a grid shows at its foot, such as [total]; all records have them in one currency.',
    ),
  ),
  voucher: optional(Voucher),
  key: Type.Array(Name, { minItems: 1 }),
  numbering: optional(Numbering),
  attributeId: optional(text(25, 'The attribute whose values the records are.')),
  relations: optional(flag('Whether they have relatedValues, as values of the attribute; default false.')),
  contactPoints: optional(flag('Whether they have contactPoints; default false.')),
  state: optional(State),
  table: optional(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?$' })),
  properties: Type.Record(Type.String(), Type.Union([Property, Group, List, Reference, Lines, ComputedProperty])),
  indexes: optional(Indexes),
  textIndexes: optional(TextIndexes),
})

/** The indexes that a setup adds to a document. */
export interface IndexesSetup {
  readonly indexes?: Static<typeof Indexes> | undefined
  readonly textIndexes?: Static<typeof TextIndexes> | undefined
}
export type DocumentSetup = Static<typeof DocumentDefinition>
export type StateSetup = Static<typeof State>
/** A property with a value. */
export type PropertySetup = Static<typeof Property>
export type ListSetup = Static<typeof List>
export type ReferenceSetup = Static<typeof Reference>
export type LinesSetup = Static<typeof Lines>
export type ComputedSetup = Static<typeof ComputedProperty>
