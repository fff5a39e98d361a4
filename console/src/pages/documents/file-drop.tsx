// Files are dropped or chosen; each is filed with a type, a title and its index values.
import { Button, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { DropZone } from '../../parts/drop-zone.tsx'
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
  const count = useRef(0)
  const take = (all: readonly File[]) => {
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
  const remove = (id: number) => setDropped((before) => before.filter((one) => one.id !== id))
  return (
    <>
      <DropZone className={classes.drop} label={t('Files to be filed')} isMultiple onFiles={take}>
        {(choose) => (
          <>
            <Button variant="default" onClick={choose}>
              {t('File documents')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('or drop files here')}
            </Text>
          </>
        )}
      </DropZone>
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
