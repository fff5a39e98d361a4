// Where the rows come from: a file that is dropped or chosen, or a block that is pasted.
import { Button, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { DropZone } from '../../parts/drop-zone.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import type { Reading } from '../../service/imports.ts'
import { t } from '../../words/words.ts'
import classes from './import.module.css'

export interface Source {
  readonly id: number
  /** The name of the file; empty where rows were pasted. */
  readonly name: string
  /** The table as CSV. */
  readonly blob: Blob
  /** What is known of it. */
  readonly reading: Partial<Reading>
  /** The sheets of a spreadsheet: each has a table. */
  readonly workbook?: {
    readonly sheets: readonly string[]
    readonly sheet: string
    readonly take: (sheet: string) => Source
  }
}

/** A spreadsheet is unpacked here; the service takes 8 MiB of text. */
const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_TEXT_BYTES = 8 * 1024 * 1024

let lastId = 0
const newId = (): number => ++lastId

export function sourceOfText(text: string): Source {
  return { id: newId(), name: '', blob: new Blob([text]), reading: { encoding: 'utf-8' } }
}

/** Throws an error with a message for the person. */
async function sourceOfFile(file: File): Promise<Source> {
  if (file.size > MAX_FILE_BYTES) throw new Error(t('The file is larger than 64 MB.'))
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  const isZip = start[0] === 0x50 && start[1] === 0x4b
  if (!isZip) return requireSmall({ id: newId(), name: file.name, blob: file, reading: {} })
  const { NoSpreadsheet, readWorkbook } = await import('./xlsx.ts')
  try {
    const book = readWorkbook(new Uint8Array(await file.arrayBuffer()))
    const take = (sheet: string): Source => {
      const text = textOf(book.rowsOf(sheet))
      const workbook = { sheets: book.sheets, sheet, take }
      const reading = { encoding: 'utf-8', separator: ',' }
      return requireSmall({ id: newId(), name: file.name, blob: new Blob([text]), reading, workbook })
    }
    return take(book.sheets[0] ?? '')
  } catch (error) {
    if (!(error instanceof NoSpreadsheet)) throw error
    throw new Error(t('This is no spreadsheet that can be read here: save it as .xlsx or as CSV.'))
  }
}

function requireSmall(source: Source): Source {
  if (source.blob.size <= MAX_TEXT_BYTES) return source
  throw new Error(t('The table has more than 8 MB of text: split it, or import it by the command line.'))
}

const textOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')

export function SourceChoice({ onChosen }: { readonly onChosen: (source: Source) => void }) {
  const [error, setError] = useState<unknown>()
  const [block, setBlock] = useState('')
  const take = async (file: File | undefined) => {
    if (!file) return
    try {
      onChosen(await sourceOfFile(file))
    } catch (thrown) {
      setError(thrown)
    }
  }
  return (
    <>
      {error !== undefined && <ProblemNote error={error} />}
      <DropZone
        className={classes.drop}
        label={t('File to be imported')}
        accept=".csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values"
        onFiles={([file]) => void take(file)}
      >
        {(choose) => (
          <>
            <Text fw={600}>{t('Drop a file here')}</Text>
            <Text size="sm" c="dimmed">
              {t('Excel (.xlsx), CSV or tabs between cells, in any encoding, with a line of headings first')}
            </Text>
            <Button size="sm" onClick={choose}>
              {t('Choose a file')}
            </Button>
          </>
        )}
      </DropZone>
      <form
        className={classes.paste}
        onSubmit={(event) => {
          event.preventDefault()
          if (block.trim() !== '') onChosen(sourceOfText(block))
        }}
      >
        <Textarea
          label={t('Or paste rows of a spreadsheet')}
          placeholder={t('With their headings in the first row')}
          rows={3}
          value={block}
          onChange={({ currentTarget }) => setBlock(currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={block.trim() === ''}>
          {t('Take these rows')}
        </Button>
      </form>
    </>
  )
}
