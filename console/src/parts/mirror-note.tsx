// What pages of a mirror say of its records: of which moment they are, and where they come from.
import { Text } from '@mantine/core'
import { type MirroredDocument, useMirror } from '../service/mirror.ts'
import { sentence } from '../words/sentence.tsx'
import { t } from '../words/words.ts'
import { timeText } from './field-value.tsx'
import classes from './mirror-note.module.css'
import { ShownText } from './shown-text.tsx'

/** Empty in a company that has its own records. */
export function MirrorNote({ document }: { readonly document: string }) {
  const mirror = useMirror()
  const mirrored = mirror?.documents.find(({ name }) => name === document)
  if (!mirror || !mirrored?.asOf || mirrored.phase !== 'following') return null
  return (
    <Text size="xs" c="dimmed">
      {sentence('As of {{time}}, from {{address}}', {
        time: <time dateTime={mirrored.asOf}>{timeText(mirrored.asOf)}</time>,
        address: <ShownText text={mirror.url} />,
      })}
    </Text>
  )
}

/** In the place of records that are not complete yet. */
export function StillLoading({ mirrored }: { readonly mirrored: MirroredDocument }) {
  return (
    <div className={classes.loading} role="status">
      <Text fw={600}>{t('These records are still being loaded')}</Text>
      <LoadBar mirrored={mirrored} label={t('Loaded')} />
      <Text size="sm" c="dimmed">
        {loadedText(mirrored)} {t('They are shown when all are here.')}
      </Text>
    </div>
  )
}

const loadedText = ({ rows, sourceRows }: MirroredDocument): string =>
  sourceRows === undefined
    ? t('{{count}} records are here so far.', { count: rows })
    : t('{{count}} of {{all}} records are here so far.', { count: rows, all: sourceRows })

/** How far a document is; of how many records is not always known. */
export function LoadBar({ mirrored, label }: { readonly mirrored: MirroredDocument; readonly label: string }) {
  const { rows, sourceRows } = mirrored
  if (sourceRows === undefined || sourceRows === 0) return null
  return <progress className={classes.bar} aria-label={label} value={Math.min(rows, sourceRows)} max={sourceRows} />
}
