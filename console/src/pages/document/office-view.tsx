// What an Office file says: texts and slides as paragraphs, sheets as tables. It looks otherwise in the program that has
// made it, and is saved for that.
import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ScrollBox } from '../../parts/data-table.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MarkedText } from '../../parts/marked-text.tsx'
import { Preformatted } from '../../parts/preformatted.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { t } from '../../words/words.ts'
import { readWorkbook } from '../import/xlsx.ts'
import classes from './document.module.css'
import { officeTexts } from './office-text.ts'
import { EXCEL_TYPE } from './office-types.ts'
import { showFirstMark } from './show-first-mark.ts'

interface OfficeViewProps {
  readonly content: Blob
  /** The media type without parameters. */
  readonly type: string
  readonly search: string
}

interface Sheet {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
  readonly isCut: boolean
}

const MOST_SHEETS = 20
const MOST_ROWS = 500
const MOST_COLUMNS = 50

export default function OfficeView({ content, type, search }: OfficeViewProps) {
  const id = useId()
  const { data, error } = useQuery({
    queryKey: ['office', id, content.size],
    queryFn: async () => {
      const bytes = new Uint8Array(await content.arrayBuffer())
      return type === EXCEL_TYPE
        ? { sheets: sheetsIn(bytes), texts: [] }
        : { sheets: [], texts: officeTexts(type, bytes) }
    },
    gcTime: 0,
    retry: false,
  })
  if (error)
    return (
      <ProblemNote
        error={new Error(t('The file cannot be read here: it is damaged, or needs a password. Save it to open it.'))}
      />
    )
  if (!data) return <Loading lines={10} />
  const { texts, sheets } = data
  return (
    <div ref={showFirstMark}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('Its text alone, without pictures and layout. Save the file to see it as it is.')}
      </Text>
      {texts.length + sheets.length === 0 && <Text size="sm">{t('There is no text in it.')}</Text>}
      {sheets.map((sheet) => (
        <SheetTable key={sheet.name} sheet={sheet} search={search} />
      ))}
      {texts.map((text, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a file have a place and nothing else
        <Preformatted key={place} className={classes.prose}>
          <MarkedText text={text} search={search} />
        </Preformatted>
      ))}
    </div>
  )
}

function sheetsIn(bytes: Uint8Array): Sheet[] {
  const workbook = readWorkbook(bytes)
  return workbook.sheets.slice(0, MOST_SHEETS).map((name) => {
    const all = workbook.rowsOf(name)
    const rows = all.slice(0, MOST_ROWS).map((row) => row.slice(0, MOST_COLUMNS))
    return { name, rows, isCut: all.length > MOST_ROWS || all.some((row) => row.length > MOST_COLUMNS) }
  })
}

function SheetTable({ sheet: { name, rows, isCut }, search }: { readonly sheet: Sheet; readonly search: string }) {
  if (rows.length === 0) return null
  return (
    <>
      <Title order={3} mt="sm" mb="xs">
        <ShownText text={name} />
      </Title>
      <ScrollBox label={name} maxHeight="70dvh">
        <table className={classes.sheet}>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a sheet have a place and nothing else
              <tr key={at}>
                {row.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: so have its cells
                  <td key={column} className={NUMBER.test(cell) ? classes.figure : undefined}>
                    <MarkedText text={cell} search={search} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {isCut && (
        <Text size="sm" c="dimmed">
          {t('The first {{rows}} rows and {{columns}} columns are shown. Save the file to see all.', {
            rows: MOST_ROWS,
            columns: MOST_COLUMNS,
          })}
        </Text>
      )}
    </>
  )
}

const NUMBER = /^-?[\d.,\s]+$/
