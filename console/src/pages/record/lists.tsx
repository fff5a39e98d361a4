import { Table, Title } from '@mantine/core'
import { FieldTitle } from '../../parts/field-title.tsx'
import { FieldValue } from '../../parts/field-value.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { type DocumentInfo, documentOf, type ListInfo } from '../../service/metadata.ts'
import { memberAt, valueIn } from '../../service/question.ts'

interface RecordListsProps {
  readonly document: DocumentInfo
  readonly row: Readonly<Record<string, unknown>>
}

/** Lists of groups, such as contact points, as tables. Columns that are empty in all are left out. */
export function RecordLists({ document, row }: RecordListsProps) {
  return document.lists.map((list) => {
    const { path } = list
    const items = memberAt(row, path.split('/'))
    return Array.isArray(items) && items.length > 0 ? <ListTable key={path} list={list} items={items} /> : null
  })
}

interface ListTableProps {
  readonly list: ListInfo
  readonly items: readonly unknown[]
}

function ListTable({ list: { path, titles, schema }, items }: ListTableProps) {
  const title = titles.join(' / ')
  const fields = documentOf(path, schema).fields.filter((field) =>
    items.some((item) => !['', undefined, null].includes(valueIn(item, field).value as string | undefined)),
  )
  return (
    <section aria-label={title}>
      <Title order={2}>
        <FieldTitle title={title} path={path} />
      </Title>
      <ScrollBox label={`Table of ${title}`}>
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              {fields.map((field) => (
                <Table.Th key={field.path}>
                  <FieldTitle
                    title={field.titles.at(-1) ?? ''}
                    path={field.path}
                    description={field.schema.description}
                  />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have a place and nothing else
              <Table.Tr key={place}>
                {fields.map((field) => (
                  <Table.Td key={field.path}>
                    <FieldValue {...valueIn(item, field)} kind={field.kind} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </section>
  )
}
