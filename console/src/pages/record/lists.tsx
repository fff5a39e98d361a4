import { Button, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ScrollBox } from '../../parts/data-table.tsx'
import { FieldTitle } from '../../parts/field-title.tsx'
import { useIsPhone } from '../../parts/folded.tsx'
import { type DocumentInfo, type FieldInfo, isNumeric, itemOf, type ListInfo } from '../../service/metadata.ts'
import { memberAt, valueIn } from '../../service/question.ts'
import { useCompany, useMay } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { CellValue } from '../grid/cell-value.tsx'
import { useColumnPlaces } from '../grid/column-places.ts'
import { referenceOf, useReferenceNames } from '../grid/reference-names.ts'
import type { Row } from '../grid/rows.ts'
import { ItemCards } from './item-cards.tsx'
import classes from './record.module.css'
import { Section } from './section.tsx'

interface RecordListsProps {
  readonly document: DocumentInfo
  readonly row: Readonly<Record<string, unknown>>
  /** Which of the lists: its lines, or all others. */
  readonly of: 'lines' | 'others'
  /** Where the lines are changed; undefined for those who may not. */
  readonly editing?: { readonly company: string; readonly key: string } | undefined
}

/** Lists of groups, such as contact points, as tables or cards. Columns that are empty in all are left out. */
export function RecordLists({ document, row, of, editing }: RecordListsProps) {
  const may = useMay()
  return document.lists.map((list) => {
    const { path, schema, association } = list
    // They stand beside the record, with their picture.
    if (path === 'relatedValues') return null
    const items = memberAt(row, path.split('/'))
    // Those of another record are changed with that.
    const linesOf = association ? undefined : schema['x-erp-document']
    if ((linesOf !== undefined) !== (of === 'lines') || !Array.isArray(items)) return null
    const mayEdit =
      linesOf !== undefined && editing && ['create', 'update', 'delete'].some((right) => may(`${linesOf}:${right}`))
    if (items.length === 0 && !mayEdit) return null
    return (
      <ListTable key={path} list={list} document={document} items={items}>
        {mayEdit && (
          <Button
            variant="default"
            component={Link}
            to="/$company/record/$document/$key/edit"
            params={{ ...editing, document: document.name } as never}
            hash={path}
          >
            {t('Edit lines')}
          </Button>
        )}
      </ListTable>
    )
  })
}

/** So that what stands below many lines is still found. */
const MOST_HEIGHT = '75dvh'

/** A code with its text needs room, also on a phone, where the table scrolls. */
function lookOf(field: FieldInfo): string | undefined {
  if (isNumeric(field)) return classes.number
  return field.schema['x-erp-describable'] || referenceOf(field) ? classes.coded : undefined
}

/** Letters of a column that is as wide as its longest value: a long one breaks anywhere. */
const MOST_LETTERS = 22

function leastWidth(field: FieldInfo, items: readonly unknown[]): string {
  const lengths = items.map((item) => String(valueIn(item, field).value ?? '').length)
  return `${Math.min(MOST_LETTERS, Math.max(...lengths))}ch`
}

/** Items with more members than these are cards; lines are a table, whose numbers stand below each other. */
const MOST_COLUMNS = 4

interface ListTableProps {
  readonly list: ListInfo
  readonly document: DocumentInfo
  readonly items: readonly Row[]
  /** What can be done with it. */
  readonly children: ReactNode
}

function ListTable({ list, document, items, children }: ListTableProps) {
  const { path, titles } = list
  const title = titles.join(' / ')
  const fields = itemOf(document, list).fields.filter((field) =>
    items.some((item) => !['', undefined, null].includes(valueIn(item, field).value as string | undefined)),
  )
  const { id: company } = useCompany()
  const names = useReferenceNames(fields, items)
  const places = useColumnPlaces(fields, items)
  const isLines = list.schema['x-erp-document'] !== undefined
  const isCards = useIsPhone() || (!isLines && fields.length > MOST_COLUMNS)
  const label = t('Table of {{list}}', { list: title })
  return (
    <Section
      document={document.name}
      path={path}
      title={title}
      heading={<FieldTitle title={title} path={path} />}
      actions={children}
    >
      {isCards ? (
        <ItemCards {...{ fields, items, names, places }} label={title} />
      ) : (
        <ScrollBox label={label} maxHeight={MOST_HEIGHT}>
          <Table fz="sm" stickyHeader>
            <Table.Thead>
              <Table.Tr>
                {fields.map((field) => (
                  <Table.Th
                    key={field.path}
                    className={isNumeric(field) ? classes.number : undefined}
                    miw={leastWidth(field, items)}
                  >
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
                    <Table.Td key={field.path} className={lookOf(field)}>
                      <CellValue {...{ company, names }} row={item} column={field} places={places.get(field.path)} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollBox>
      )}
    </Section>
  )
}
