// The same question for Excel: as a file, or as a connection that asks it again.
import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { notify } from '../../parts/notices.tsx'
import { fetchService } from '../../service/client.ts'
import { requiredParameters } from '../../service/metadata.ts'
import { addressOf, type Question } from '../../service/question.ts'
import { saveFile } from '../../service/save-file.ts'
import { t } from '../../words/words.ts'
import { allOf } from './axes.ts'

export function ExcelMenu({ company, question }: { readonly company: string; readonly question: Question }) {
  const { document } = question
  const save = useMutation({
    mutationFn: async ({ path, name }: { readonly path: string; readonly name: string }) =>
      saveFile(await (await fetchService(path)).blob(), name),
    onError: ({ message }) => notify(t('No file: {{message}}', { message })),
  })
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" loading={save.isPending}>
          Excel
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          onClick={() =>
            save.mutate({ path: `${addressOf(company, question)}&$format=excel`, name: `${document}.csv` })
          }
        >
          {t('File of these sums')}
        </Menu.Item>
        <Menu.Item onClick={() => save.mutate({ path: linkPath(company, question), name: `${document}.odc` })}>
          {t('Connection that refreshes itself')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The file that asks the entity set of OData for the same groups, by codes. */
export function linkPath(company: string, { document, filter = '', groupBy = '', aggregate = '' }: Question): string {
  const [, amount = '', name = ''] = /^sum\((.+)\) as (\w+)$/.exec(aggregate) ?? []
  const conditions = [filter, ...[...new URLSearchParams(requiredParameters(document)).keys()].map(stateIs)]
  const all = allOf(...conditions)
  const groups = groupBy.replaceAll('[C;T]', '')
  const apply = `${all === '' ? '' : `filter(${all})/`}groupby((${groups}),aggregate(${amount} with sum as ${name}))`
  const file = `${encodeURIComponent(document.replaceAll('-', '_'))}.odc`
  return `/odata/v4/${encodeURIComponent(company)}/link-files/${file}?$apply=${encodeURIComponent(apply)}`
}

/** OData has all states of the ledger, and asks for some by a filter. */
const stateIs = (state: string): string => `state eq '${state}'`
