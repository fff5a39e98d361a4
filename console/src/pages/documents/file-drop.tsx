// Files are dropped or chosen; each is filed with a type, a title and its index values.
import { Button, Text } from '@mantine/core'
import { type DragEvent, useRef, useState } from 'react'
import { sizeText } from '../../parts/field-value.tsx'
import { notify } from '../../parts/notices.tsx'
import type { DocumentType } from '../../service/archive.ts'
import { t } from '../../words/words.ts'
import classes from './documents.module.css'
import { FilingForm } from './filing-form.tsx'

/** The service takes no larger content. */
const MAX_BYTES = 50_000_000
const MOST_FILES = 20

interface Dropped {
  readonly id: number
  readonly file: File
}

interface FileDropProps {
  readonly company: string
  readonly types: readonly DocumentType[]
  readonly onFiled: () => void
}

export function FileDrop({ company, types, onFiled }: FileDropProps) {
  const [dropped, setDropped] = useState<readonly Dropped[]>([])
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const count = useRef(0)
  const take = (files: Iterable<File>) => {
    const all = [...files]
    const small = all.filter(({ size }) => size <= MAX_BYTES).slice(0, MOST_FILES)
    if (small.length < all.length)
      notify(
        t('A file may have {{size}}, and {{count}} are filed at once: the others are left out.', {
          size: sizeText(MAX_BYTES),
          count: MOST_FILES,
        }),
      )
    setDropped((before) => [...before, ...small.map((file) => ({ id: ++count.current, file }))])
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  const remove = (id: number) => setDropped((before) => before.filter((one) => one.id !== id))
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same by keyboard */}
      <div
        className={isOver ? `${classes.drop} ${classes.isOver}` : classes.drop}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Button size="xs" variant="default" onClick={() => input.current?.click()}>
          {t('File documents')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('or drop files here')}
        </Text>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t('Files to be filed')}
          onChange={({ currentTarget }) => {
            take(currentTarget.files ?? [])
            currentTarget.value = ''
          }}
        />
      </div>
      {dropped.map(({ id, file }) => (
        <FilingForm
          key={id}
          company={company}
          types={types}
          file={file}
          onLeft={() => remove(id)}
          onFiled={() => {
            remove(id)
            onFiled()
          }}
        />
      ))}
    </>
  )
}
