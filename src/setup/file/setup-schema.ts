// The format of a setup file. guides/public/setup.schema.json is generated from it; check/ has the rules beyond it.

import Type, { type Static } from 'typebox'
import { BUILT_IN_NAMES } from '../../model/records/built-in.ts'
import { CODED_FIELDS } from '../../model/records/customer.ts'
import { CUSTOM_TEXT_LENGTH, TEXT_LENGTHS } from '../../model/records/text-lengths.ts'
import { DocumentDefinition, Indexes, TextIndexes } from './document-schema.ts'
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
} from './schema-parts.ts'
import { Source } from './source-schema.ts'

export type { DocumentSetup, IndexesSetup } from './document-schema.ts'
export type { NumberingSetup } from './schema-parts.ts'

const Text = Type.String({ maxLength: 255 })
const Period = integer(0, 299_999, 'yyyypp')
const Descriptions = Type.Record(Type.String(), Text, { description: 'Code -> description.' })

/** `N: Active` is in the company's language; `N: { EN: Active, "NO": Aktiv }` names the languages. */
const CodeTitle = Type.Union([Text, Type.Record(Type.String(), Text, { description: 'Language -> title.' })])
const CODES = "Code -> title in the company's language, or one for each language."
const Codes = Type.Record(Type.String(), CodeTitle, { description: CODES })

/** What people call the list and what it means, beside its codes; or its codes alone. */
const ValueList = Type.Union([
  section({ ...Titled, codes: Codes }),
  Type.Unsafe<Static<typeof Codes>>({
    ...Type.Object({ codes: optional(Text) }),
    additionalProperties: CodeTitle,
    description: CODES,
  }),
])

const CustomField = section({
  name: Name,
  ...Titled,
  type: oneOf(['string', 'integer', 'number', 'boolean', 'date-time']),
  maxLength: optional(integer(1, 10_000, `Of a string; default ${CUSTOM_TEXT_LENGTH}.`)),
  minimum: optional(Type.Number()),
  maximum: optional(Type.Number()),
  required: optional(flag('Default false.')),
  legalValues: optional(LegalValues),
})

const Customers = section(
  {
    attributeId: Id,
    generalContactPointType: optional(Type.String({ description: 'Default "1".' })),
    numbering: optional(Numbering),
    mandatoryRelations: optional(Type.Array(Id)),
    legalValues: optional(
      section(Object.fromEntries([...CODED_FIELDS.keys()].map((field) => [field, optional(LegalValues)]))),
    ),
    customFieldGroups: optional(Type.Array(section({ name: Name, ...Titled, fields: Type.Array(CustomField) }))),
  },
  'How customers are kept; they are values of an attribute.',
)

const Attribute = section({
  id: Id,
  name: Name,
  description: optional(Text),
  maintenance: optional(
    oneOf(['manual', 'system'], 'Only values of manual ones are written by clients; default manual.'),
  ),
  contactPoints: optional(flag('Default false.')),
  owner: optional(section({ attributeId: Id }, 'Values are owned by a value of that attribute.')),
  values: optional(
    section({
      type: optional(oneOf(['text', 'number'], 'Default text.')),
      maxLength: optional(integer(1, 255, 'Default 255.')),
      pattern: optional(Type.String({ maxLength: 200, description: 'A regular expression for the whole value.' })),
      minimum: optional(Type.Integer()),
      maximum: optional(Type.Integer()),
    }),
  ),
  numbering: optional(Numbering),
})

const Relation = section({
  id: Id,
  name: Name,
  ...Titled,
  group: optional(Type.String({ maxLength: 25 })),
  attributeId: Id,
  relatedAttributeId: Id,
  multiple: optional(flag('Several related values at a time; default false.')),
})

const DocumentType = section({
  id: Id,
  description: optional(Text),
  retentionMonths: optional(integer(1, 1_200, 'Present: expiry is enabled.')),
  indexes: optional(
    Type.Array(
      section({
        sequenceNo: integer(1, 200),
        name: Name,
        attributeId: optional(Id),
        maxLength: optional(integer(1, 255)),
        required: optional(flag('Default false.')),
      }),
    ),
  ),
})

const lengthLimit = (max: number) => optional(integer(1, max, `Default ${max}.`))

const Lengths = section(
  Object.fromEntries(Object.entries(TEXT_LENGTHS).map(([field, max]) => [field, lengthLimit(max)])),
  'The longest texts that fields take, by their names, where less than the service takes.',
)

const Bytes = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,6} ?(kB|MB|GB|TB)$' })], {
  description: 'A number, or one with a unit: 500MB, 10GB.',
})

const Quotas = section(
  { fileBytes: optional(Bytes), journalBytes: optional(Bytes) },
  'What may be kept for ever: files of documents, and the change log. Default: no bound.',
)

const Journal = section(
  {
    keep: optional(
      Type.String({
        pattern: '^([2-9]|[1-9][0-9]{1,3})d$|^[1-9][0-9]{0,2}[my]$',
        description: 'An age, at least 2d: 90d, 24m or 10y. Default: for ever.',
      }),
    ),
  },
  'How long entries of the change log keep their texts; numbers, keys, times, authors and hashes stay.',
)

const Hold = section(
  {
    id: Id,
    reason: Text,
    document: optional(
      text(
        100,
        'attribute-values, customers, document-archive or a document of the setup on a table of the service. Default: everything of the company.',
      ),
    ),
    filter: optional(text(2_000, 'In the query language: the records of the document that are held. Default: all.')),
  },
  'Legal hold: what it names is neither purged nor erased.',
)

/** As of one that a client creates: each is delivered by itself. */
const MAX_SUBSCRIPTIONS = 100
const Query = text(8_000)

const Subscription = section(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$',
      description: 'Of letters, digits, `.`, `_`, `-`.',
    }),
    name: optional(text(100, 'Default the id.')),
    client: text(100, 'The client whose rights decide what is told.'),
    url: text(2_000, 'https, at a public address.'),
    entities: optional(list(Name, [0, 50], 'Whose changes are told; default all that the client may read.')),
    filter: optional(Query),
    select: optional(Query),
    payload: optional(oneOf(['thin', 'full'], 'Default thin.')),
    batch: optional(flag('Whether one request may hold several events; default false.')),
    signature: optional(oneOf(['hmac', 'ed25519'], 'Default hmac.')),
    secretEnv: Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      description: 'The environment variable that holds whsec_ (hmac) or whsk_ (ed25519) and the key in base64.',
    }),
  },
  'A webhook: changes are sent to the url.',
)

const Figure = section(
  {
    title: Titled.title,
    document: Name,
    filter: optional(text(2_000, 'In the query language. Default: all records.')),
    sum: optional(text(255, 'Of which number; default: how many records.')),
    by: optional(text(255, 'A period or a day: the last period, or this month, beside the one before.')),
  },
  'A figure on the first page of the console.',
)

/** Those that can be read on white and on black. */
const ACCENTS = ['teal', 'cyan', 'blue', 'indigo', 'violet', 'grape', 'pink'] as const

const Company = section({
  id: Id,
  name: Name,
  accent: optional(oneOf(ACCENTS, 'The colour of the console; default teal.')),
  figures: optional(list(Figure, [0, 3])),
  language: optional(Type.String({ minLength: 2, maxLength: 5, description: 'Default EN.' })),
  currentAccountingPeriod: optional(Period),
  textLengths: optional(Lengths),
  quotas: optional(Quotas),
  journal: optional(Journal),
  holds: optional(list(Hold, [0, 100])),
  customers: optional(Customers),
  periods: optional(
    Type.Array(section({ from: Period, to: Period, perYear: optional(integer(1, 99, 'Default 12.')) })),
  ),
  attributes: optional(Type.Array(Attribute)),
  relations: optional(Type.Array(Relation)),
  attributeValues: optional(
    Type.Record(Type.String(), Descriptions, { description: 'Attribute -> value -> description.' }),
  ),
  documentTypes: optional(Type.Array(DocumentType)),
  valueLists: optional(Type.Record(Type.String(), ValueList)),
  subscriptions: optional(list(Subscription, [0, MAX_SUBSCRIPTIONS])),
  source: optional(Source),
})

const RecordOperations = Type.Array(oneOf(['create', 'read', 'update', 'delete']))

const Rule = section(
  {
    filter: optional(text(2_000, 'In the query language: only rows that meet it are there.')),
    hidden: optional(
      Type.Array(Name, { description: 'Properties that are not there, such as invoice or payment/bankAccount.' }),
    ),
  },
  'What is left out of an Enterprise Document, and of the single records that it is about.',
)

const APIS = {
  'attribute-values': optional(RecordOperations),
  'attribute-relations': optional(RecordOperations),
  documents: optional(RecordOperations),
  ...Object.fromEntries(BUILT_IN_NAMES.map((name) => [name, optional(RecordOperations)])),
  subscriptions: optional(RecordOperations),
  objects: optional(Type.Array(oneOf(['read', 'export']))),
  metrics: optional(Type.Array(Type.Literal('read'), { description: 'To read `/metrics` from other machines.' })),
}

/** The APIs of roles that are no own documents. */
export const BUILT_IN_APIS: readonly string[] = Object.keys(APIS)

const Role = section({
  id: Id,
  apis: optional(
    Type.Object(APIS, {
      additionalProperties: RecordOperations,
      description: 'Those of the service, and the own documents of the setup by their names.',
    }),
  ),
  objects: optional(Type.Array(Name, { description: 'Enterprise Documents that the role may read; "*" is all.' })),
  rules: optional(Type.Record(Type.String(), Rule, { description: 'Enterprise Document -> what is left out of it.' })),
})

const Disabled = optional(flag('Credentials and tokens are answered as wrong ones; default false.'))

const SecretHash = Type.String({ description: 'scrypt$N$r$p$salt$hash, salt and hash in base64.' })

const User = section({
  id: Name,
  defaultCompany: Id,
  roles: optional(Type.Record(Type.String(), Type.Array(Id), { description: 'Company -> roles there.' })),
  issuer: optional(Type.String({ minLength: 1, description: 'The foreign issuer that alone may name the user.' })),
  name: optional(text(100, 'As people call the user.')),
  passwordHash: optional(SecretHash),
  administrator: optional(
    Type.Union([Type.Boolean(), Type.Array(Id, { minItems: 1 })], {
      description:
        'Whether the user administers the service in the console, and may import records with their numbers; or the companies whose people and clients the user administers. Default false.',
    }),
  ),
  disabled: Disabled,
})

const SecretEnv = Type.String({ description: 'The environment variable that holds the secret.' })

/** Enough to replace one: the old and the new. */
const MAX_SECRETS = 2

const Secret = section(
  {
    env: optional(SecretEnv),
    hash: optional(SecretHash),
    until: optional(Type.String({ description: 'When it ends, such as 2026-12-31T12:00:00Z; default never.' })),
  },
  'One of env and hash.',
)

const Client = section({
  id: Name,
  user: Name,
  secretEnv: optional(SecretEnv),
  secretHash: optional(SecretHash),
  secrets: optional(
    list(Secret, [1, MAX_SECRETS], 'In place of secretEnv or secretHash: each of them is accepted until its end.'),
  ),
  disabled: Disabled,
})

const Issuer = section({
  issuer: Type.String({ minLength: 1 }),
  audience: Type.String({ minLength: 1 }),
  mcpAudience: optional(
    Type.String({
      minLength: 1,
      description: 'The audience of tokens that open the tools of agents; without it, none.',
    }),
  ),
  keySet: Type.String({ pattern: '^https?://' }),
  algorithms: Type.Array(
    oneOf(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']),
    { minItems: 1 },
  ),
  userClaim: optional(Type.String({ description: 'The claim that names the user; default sub.' })),
  signIn: optional(
    section({
      name: text(100, 'As people call the issuer.'),
      clientId: Type.String({ minLength: 1, description: 'Of the service, at the issuer.' }),
      secretEnv: optional(SecretEnv),
      redirectUri: Type.String({
        pattern: '^https?://[^?#]+/console/api/oidc/callback$',
        description: 'The address of the service with /console/api/oidc/callback, as the issuer knows it.',
      }),
    }),
  ),
  companies: optional(
    Type.Array(Id, { minItems: 1, description: 'Where its callers have rights; without it, wherever their user has.' }),
  ),
})

/** The root of a setup file. */
export const SetupSchema = section({
  version: Type.Literal(1),
  companies: optional(Type.Array(Company)),
  documents: optional(Type.Array(DocumentDefinition)),
  indexes: optional(
    Type.Record(Type.String(), Indexes, { description: 'Built-in Enterprise Document -> its further indexes.' }),
  ),
  textIndexes: optional(
    Type.Record(Type.String(), TextIndexes, {
      description: 'Built-in Enterprise Document -> its properties that are searched by text.',
    }),
  ),
  roles: optional(Type.Array(Role)),
  users: optional(Type.Array(User)),
  clients: optional(Type.Array(Client)),
  authentication: optional(
    section({
      basic: optional(flag('Whether clients may use HTTP Basic; default true.')),
      issuers: optional(Type.Array(Issuer)),
    }),
  ),
})

export type Setup = Static<typeof SetupSchema>
export type CompanySetup = Static<typeof Company>
export type AttributeSetup = Static<typeof Attribute>
export type RelationSetup = Static<typeof Relation>
export type HoldSetup = Static<typeof Hold>
export type CustomersSetup = Static<typeof Customers>
export type SubscriptionSetup = Static<typeof Subscription>
export type ClientSetup = Static<typeof Client>
export type DocumentTypeSetup = Static<typeof DocumentType>
export type FigureSetup = Static<typeof Figure>
export type ValueListSetup = Static<typeof ValueList>
