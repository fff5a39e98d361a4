// What documents are filed by, for people: the text of an index value that is the value of an attribute.
import { useQueries } from '@tanstack/react-query'
import { filter } from '#client'
import { type ArchivedDocument, type DocumentType, indexTypeOf } from './archive.ts'
import { useCompany, useService } from './session.ts'

/** The text of an index value of a document. Undefined where it has none, and where the client may not read it. */
export type IndexTexts = (docType: string, sequenceNo: number, indexValue: string) => string | undefined

/** Asks once for each attribute that the documents are filed by. */
export function useIndexTexts(documents: readonly ArchivedDocument[], types: readonly DocumentType[]): IndexTexts {
  const { id: company } = useCompany()
  const service = useService()
  const attributeOf = (docType: string, number: number) =>
    indexTypeOf(
      types.find(({ id }) => id === docType),
      number,
    )?.attributeId ?? ''
  const filed = documents.flatMap(({ docType, indexes }) =>
    indexes.map(({ sequenceNo, indexValue }) => ({ attributeId: attributeOf(docType, sequenceNo), indexValue })),
  )
  const named = filed.filter(({ attributeId, indexValue }) => attributeId !== '' && indexValue !== '')
  const wanted = [...Map.groupBy(named, ({ attributeId }) => attributeId)].map(([attributeId, values]) => ({
    attributeId,
    codes: [...new Set(values.map(({ indexValue }) => indexValue))].toSorted(),
  }))
  const texts = useQueries({
    queries: wanted.map(({ attributeId, codes }) => ({
      queryKey: [company, 'index-texts', attributeId, codes],
      staleTime: 60_000,
      retry: false,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const rows = await service.valuesOf(attributeId).list({
          select: 'attributeValue,description',
          filter: filter`attributeValue in ${codes}`,
          signal,
        })
        return new Map(rows.map(({ attributeValue, description }) => [String(attributeValue), String(description)]))
      },
    })),
    combine: (answers) => new Map(answers.map(({ data }, at) => [wanted[at]?.attributeId, data])),
  })
  return (docType, sequenceNo, indexValue) => texts.get(attributeOf(docType, sequenceNo))?.get(indexValue)
}
