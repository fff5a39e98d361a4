import { type DocumentSummary, useDocuments } from '../service/metadata.ts'
import { languageOfWords, t } from '../words/words.ts'

/** What people call a document; its name as words where that is not known. */
export function useTitles(): (document: string) => string {
  const { data = [] } = useDocuments()
  return (document) => data.find(({ name }) => name === document)?.title ?? titleOfOther(document)
}

/** What one record of a document is called; undefined where nothing says so. */
export function useRecordTitle(document: string): string | undefined {
  const { data = [] } = useDocuments()
  return data.find(({ name }) => name === document)?.recordTitle
}

/** What making a record of a document is called: `New customer`. */
export function newRecordText({ title, recordTitle }: Pick<DocumentSummary, 'title' | 'recordTitle'>): string {
  if (recordTitle === undefined) return t('New record in {{document}}', { document: title })
  return t('New {{record}}', { record: withinSentence(recordTitle) })
}

export function useNewRecordText(): (document: string) => string {
  const { data = [] } = useDocuments()
  const titleOf = useTitles()
  return (document) => newRecordText(data.find(({ name }) => name === document) ?? { title: titleOf(document) })
}

/** A title as it stands inside a sentence: a German noun, and an abbreviation such as `VAT code`, keep their capital. */
export function withinSentence(title: string): string {
  const isKept = languageOfWords() === 'de' || /^\p{Lu}{2}/u.test(title)
  return isKept ? title : title.slice(0, 1).toLowerCase() + title.slice(1)
}

/** The feed tells of revisions, which are no document of their own. */
const titleOfOther = (name: string): string => (name === 'document-revisions' ? t('Document revisions') : asWords(name))

/** `general-ledger-transactions` as people write it. */
function asWords(document: string): string {
  const words = document.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
