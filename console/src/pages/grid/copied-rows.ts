// Rows as a spreadsheet takes them: cells between tabs, numbers and days as the reader writes them.
import { notify } from '../../parts/notices.tsx'
import type { Question } from '../../service/question.ts'
import { writingOf } from '../../service/written-values.ts'
import { t } from '../../words/words.ts'
import { editedCell } from '../edit/lines/cell-text.ts'
import { type Column, valuesOf } from './list-columns.ts'
import { blockOf, titleOf } from './pasted-rows.ts'
import { MOST_READ, readRows } from './rows.ts'

/** Copies the first rows, and tells how many. */
export async function copyRows(company: string, question: Question, columns: readonly Column[]): Promise<void> {
  try {
    const rows = await readRows(company, question)
    const writing = writingOf()
    const cells = rows.map((row) =>
      columns.map((column) =>
        valuesOf(row, column)
          .map(({ value }) => editedCell(column, String(value ?? ''), writing))
          .join(' · '),
      ),
    )
    const count = rows.length
    const told =
      count < MOST_READ
        ? t('{{count}} rows were copied.', { count })
        : t('The first {{count}} rows were copied.', { count })
    await copyText(blockOf([columns.map(titleOf), ...cells]), told)
  } catch (error) {
    notify(t('Not copied: {{message}}', { message: (error as Error).message }))
  }
}

/** Copies, and tells so. */
export async function copyText(text: string, told: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  notify(told)
}
