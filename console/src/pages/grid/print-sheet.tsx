// Printing of all rows, by the button and by the keys of the browser for it.
import { useEffect, useState } from 'react'
import { notify } from '../../parts/notices.tsx'
import type { Question } from '../../service/question.ts'
import { t } from '../../words/words.ts'
import type { Column } from './list-columns.ts'
import { type Row, readRows } from './rows.ts'

export interface PrintedRows {
  readonly company: string
  readonly question: Question
  readonly columns: readonly Column[]
  readonly sums: readonly string[]
  readonly count: number | undefined
}

interface Printed {
  readonly rows: readonly Row[]
  readonly Sheet: typeof import('./printed-rows.tsx').PrintSheet
}

/** Prints, and the sheet that is printed. */
export function usePrinting(given: PrintedRows) {
  const [printed, setPrinted] = useState<Printed>()
  const { company, question } = given
  const print = async () => {
    try {
      const [rows, { PrintSheet }] = await Promise.all([readRows(company, question), import('./printed-rows.tsx')])
      setPrinted({ rows, Sheet: PrintSheet })
    } catch (error) {
      notify(t('Nothing is printed: {{message}}', { message: (error as Error).message }))
    }
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      void print()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  useEffect(() => {
    if (!printed) return
    addEventListener('afterprint', () => setPrinted(undefined), { once: true })
    window.print()
  }, [printed])
  return { print: () => void print(), sheet: printed && <printed.Sheet {...given} rows={printed.rows} /> }
}
