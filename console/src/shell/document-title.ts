import { useDocuments } from '../service/metadata.ts'
import { t } from '../words/words.ts'

/** What people call a document; its name as words where that is not known. */
export function useTitles(): (document: string) => string {
  const { data = [] } = useDocuments()
  return (document) => data.find(({ name }) => name === document)?.title ?? titleOfOther(document)
}

/** The feed tells of revisions, which are no document of their own. */
const titleOfOther = (name: string): string => (name === 'document-revisions' ? t('Document revisions') : asWords(name))

/** `general-ledger-transactions` as people write it. */
function asWords(document: string): string {
  const words = document.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
