// Views that a company shares: records of the document `grid-views`, where its setup declares one. Who may read it sees
// them, who may create its records shares one, and who may delete them takes one back.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { filter } from '#client'
import { notify } from '../../parts/notices.tsx'
import { fetchJson, fetchService, sendJson } from '../../service/client.ts'
import { useDocuments, versionPath } from '../../service/metadata.ts'
import { addressOf } from '../../service/question.ts'
import { recordPath } from '../../service/records.ts'
import { useMay } from '../../service/session.ts'
import { t } from '../../words/words.ts'

const DOCUMENT = 'grid-views'
const MOST = 200

export interface SharedView {
  readonly name: string
  /** As an address has it behind `?`. */
  readonly view: string
}

export function useSharedViews(company: string, document: string) {
  const { data: documents = [] } = useDocuments()
  const may = useMay()
  const queries = useQueryClient()
  const queryKey = [company, 'shared-views', document]
  const { data: views = [] } = useQuery({
    queryKey,
    enabled: documents.some(({ name }) => name === DOCUMENT),
    queryFn: ({ signal }) => {
      const asked = {
        select: 'name,view',
        filter: String(filter`document eq ${document}`),
        orderBy: 'name',
        limit: MOST,
      }
      return fetchJson<SharedView[]>(addressOf(company, { document: DOCUMENT, ...asked }), { signal })
    },
  })
  const about = {
    onError: ({ message }: Error) => notify(t('The view is not shared: {{message}}', { message })),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  }
  const at = (name: string) => `${recordPath(DOCUMENT, [document, name])}?companyId=${encodeURIComponent(company)}`
  const share = useMutation({
    mutationFn: ({ name, view }: SharedView): Promise<unknown> =>
      views.some((other) => other.name === name)
        ? sendJson('PATCH', at(name), [{ op: 'replace', path: '/view', value: view }])
        : sendJson('POST', `${versionPath(DOCUMENT)}/${DOCUMENT}`, { companyId: company, document, name, view }),
    ...about,
  })
  const remove = useMutation({
    mutationFn: (name: string): Promise<unknown> => fetchService(at(name), { method: 'DELETE' }),
    ...about,
  })
  return {
    views,
    share: may(`${DOCUMENT}:create`) ? share.mutate : undefined,
    remove: may(`${DOCUMENT}:delete`) ? remove.mutate : undefined,
  }
}
