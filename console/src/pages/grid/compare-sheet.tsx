// Marked records beside each other: what differs, and on request all of it.
import { Switch, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ScrollBox } from '../../parts/data-table.tsx'
import { FieldTitle } from '../../parts/field-title.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import type { DocumentInfo } from '../../service/metadata.ts'
import { type Question, selectOf } from '../../service/question.ts'
import { t } from '../../words/words.ts'
import { CellValue } from './cell-value.tsx'
import { columnTitle } from './filter/operator-words.ts'
import { type Column, valuesOf } from './list-columns.ts'
import { useReferenceNames } from './reference-names.ts'
import { keyFields, keyOf, type Row, readRows } from './rows.ts'

interface CompareSheetProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly question: Question
  readonly onClose: () => void
}

export default function CompareSheet({ company, document, question, onClose }: CompareSheetProps) {
  const [isAll, setAll] = useState(false)
  const keys = keyFields(document)
  const fields: readonly Column[] = document.fields.filter(
    (field) => field.path !== 'companyId' && !field.association && !keys.includes(field),
  )
  const whole = { ...question, select: selectOf(document, fields) }
  const {
    data: rows = [],
    error,
    isPending,
  } = useQuery({
    queryKey: [company, 'compared', whole],
    queryFn: () => readRows(company, whole),
  })
  const names = useReferenceNames(fields, rows)
  const differing = fields.filter((field) => new Set(rows.map((row) => textOf(row, field))).size > 1)
  const shown = isAll ? fields.filter((field) => rows.some((row) => textOf(row, field) !== '')) : differing
  return (
    <Sheet title={t('Compare')} isOpen isWide onClose={onClose}>
      {error && <ProblemNote error={error} />}
      {isPending && <Loading />}
      {rows.length > 0 && (
        <>
          <Switch
            mb="sm"
            label={t('Also what is the same')}
            checked={isAll}
            onChange={({ currentTarget }) => setAll(currentTarget.checked)}
          />
          <ScrollBox label={t('Compare')} maxHeight="70dvh">
            <Table fz="sm" stickyHeader withColumnBorders>
              <Table.Thead>
                <Table.Tr>
                  <Table.Td />
                  {rows.map((row) => (
                    <Table.Th key={keyOf(keys, row).join()} scope="col" miw="10rem">
                      {keyOf(keys, row).join(' / ')}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((field) => (
                  <Table.Tr key={field.path}>
                    <Table.Th scope="row">
                      <FieldTitle title={columnTitle(field)} path={field.path} />
                    </Table.Th>
                    {rows.map((row) => (
                      <Table.Td key={keyOf(keys, row).join()} fw={isAll && differing.includes(field) ? 600 : undefined}>
                        <CellValue company={company} row={row} column={field} names={names} isLink={false} />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollBox>
          {shown.length === 0 && t('Nothing differs.')}
        </>
      )}
    </Sheet>
  )
}

const textOf = (row: Row, field: Column): string =>
  valuesOf(row, field)
    .map(({ value }) => String(value ?? ''))
    .join()
