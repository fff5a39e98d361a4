// `GET /v1/document-types`: which types of documents a company files, and the index values that each needs.
import { Type } from 'typebox'
import { companyParameter, ifNoneMatchParameter } from '../../../http/openapi/parameters.ts'
import { contentReply, unchangedContent } from '../../../http/route/replies.ts'
import type { RouteTable } from '../../../http/route/route.ts'
import { readOptions } from '../../../query/options.ts'
import type { DocumentTypeRules } from '../../../setup/rules/rules.ts'
import type { DocumentService } from '../document-service.ts'

const DocumentIndexType = Type.Object(
  {
    sequenceNo: Type.Integer({ description: 'The place of the value in `indexes` of a document.' }),
    name: Type.String({ examples: ['Cost centre'] }),
    required: Type.Boolean(),
    maxLength: Type.Integer({ description: 'In characters.' }),
    attributeId: Type.String({ description: 'Its values are the legal ones; empty where any text is.' }),
  },
  { title: 'DocumentIndexType' },
)

const DocumentType = Type.Object(
  {
    id: Type.String({ examples: ['INVOICE'] }),
    description: Type.String(),
    retentionMonths: Type.Integer({ description: 'Until a document without an expiry date expires; 0: never.' }),
    indexes: Type.Array(DocumentIndexType, { description: 'In the order of their numbers.' }),
  },
  { title: 'DocumentType' },
)

export function documentTypeRoutes(router: RouteTable, { companies }: Pick<DocumentService, 'companies'>): void {
  router.get('/v1/document-types', {
    operationId: 'listDocumentTypes',
    permit: 'documents:read',
    summary: 'List the types of documents and their indexes',
    description: 'The setup of the company declares them.',
    parameters: [companyParameter, ifNoneMatchParameter],
    answers: {
      ...unchangedContent,
      200: {
        description: 'The types by their ids; an empty array when there are none.',
        headers: { ETag: 'Of this content, for If-None-Match.', Vary: 'The headers that the answer depends on.' },
        schema: Type.Array(DocumentType),
      },
    },
    handle: (request) => {
      // The list takes none of them, and a misspelt one is refused as everywhere.
      readOptions(request.query)
      const types = [...companies.require(request.companyId).documentTypes.values()]
      return contentReply(request, types.sort((one, other) => (one.id < other.id ? -1 : 1)).map(described))
    },
  })
}

function described({ id, description, retentionMonths = 0, indexes }: DocumentTypeRules) {
  return {
    id,
    description,
    retentionMonths,
    indexes: indexes.map(({ sequenceNo, name, required, maxLength, attributeId = '' }) => ({
      sequenceNo,
      name,
      required,
      maxLength,
      attributeId,
    })),
  }
}
