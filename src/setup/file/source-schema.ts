// The part of a setup file that says from which ERP system a company fills itself.
import Type, { type Static } from 'typebox'
import { Id, integer, list, oneOf, optional, section, text } from './schema-parts.ts'

const Variable = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  description: 'The name of an environment variable.',
})
const DocumentName = Type.String({ pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', maxLength: 50 })

/** What is answered without it, in seconds, and the shares of the quotas that most ERP systems have. */
export const SOURCE_DEFAULTS = {
  follow: 60,
  sweep: 86_400,
  share: 0.5,
  requestsPerMinute: 500,
  bytesPerFiveMinutes: 635_000_000,
} as const

const MirroredDocument = section({
  name: DocumentName,
  states: optional(
    list(
      Type.String({ minLength: 1, maxLength: 50, pattern: '^[A-Za-z]+$' }),
      [1, 10],
      'The parameters of the source that must be true, such as [posted]. Default: those of the ledger.',
    ),
  ),
  from: optional(text(2_000, 'A filter of the source: only these records.')),
})

export const Source = section(
  {
    url: Type.String({
      pattern: '^https?://[^?#@\\s]+$',
      maxLength: 500,
      description: 'Of the interface, without /v1: https://erp.example.com/web-api.',
    }),
    companyId: optional(Id),
    clientIdEnv: Variable,
    secretEnv: Variable,
    tokenUrl: optional(
      Type.String({
        pattern: '^https?://[^?#@\\s]+$',
        maxLength: 500,
        description: 'Where the client gets its token. Default: none, the client shows its secret with each request.',
      }),
    ),
    documents: optional(
      Type.Union([Type.Literal('all'), list(Type.Union([DocumentName, MirroredDocument]), [1, 200])]),
    ),
    follow: optional(integer(1, 86_400, 'How old what is shown may be, in seconds; default 60.')),
    sweep: optional(integer(60, 2_592_000, 'Seconds between looks for removed records; default a day.')),
    share: optional(
      Type.Number({ minimum: 0.01, maximum: 1, description: "Of the source's quotas; default 0.5, a half." }),
    ),
    requestsPerMinute: optional(integer(1, 1_000_000, 'Default 500.')),
    bytesPerFiveMinutes: optional(integer(1_000_000, 1_000_000_000_000, 'Default 635,000,000.')),
    writes: optional(
      oneOf(['refuse', 'forward'], 'Whether writes are refused, or sent to the source first; default refuse.'),
    ),
    writeAs: optional(
      oneOf(
        ['mirror', 'caller'],
        "Whose token a forwarded write shows: the mirror's, or the caller's own. Default mirror.",
      ),
    ),
    contents: optional(
      oneOf(
        ['background', 'lazy'],
        'Whether the files of documents are fetched one after the other, or when they are first asked for. Default background.',
      ),
    ),
    whileLoading: optional(
      oneOf(
        ['wait', 'ask'],
        'Whether reads of a document that is not complete yet get 503, or ask the source. Default wait.',
      ),
    ),
  },
  'The ERP system that the company is a mirror of: it takes no writes of its own then.',
)

export type SourceSetup = Static<typeof Source>
