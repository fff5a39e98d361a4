// What pages of a mirror say of its records: of which moment they are, and where they come from.
import { Text } from '@mantine/core'
import { type MirroredDocument, useMirror } from '../service/mirror.ts'
import { numberText } from './field-value.tsx'
import classes from './mirror-note.module.css'
import { ShownText } from './shown-text.tsx'

/** Empty in a company that has its own records. */
export function MirrorNote({ document }: { readonly document: string }) {
  const mirror = useMirror()
  const mirrored = mirror?.documents.find(({ name }) => name === document)
  if (!mirror || !mirrored?.asOf || mirrored.phase !== 'following') return null
  return (
    <Text size="xs" c="dimmed">
      As of <time dateTime={mirrored.asOf}>{momentText(mirrored.asOf, new Date())}</time>, from{' '}
      <ShownText text={mirror.url} />
    </Text>
  )
}

/** Such as `10:32 UTC`, with the day unless that is today. */
export function momentText(instant: string, now: Date): string {
  const [day = '', time = ''] = instant.split('T')
  const minute = `${time.slice(0, 5)} UTC`
  return day === now.toISOString().slice(0, 10) ? minute : `${day} ${minute}`
}

/** In the place of records that are not complete yet. */
export function StillLoading({ mirrored }: { readonly mirrored: MirroredDocument }) {
  return (
    <div className={classes.loading} role="status">
      <Text fw={600}>These records are still being loaded</Text>
      <LoadBar mirrored={mirrored} label="Loaded" />
      <Text size="sm" c="dimmed">
        {loadedText(mirrored)} They are shown when all are here.
      </Text>
    </div>
  )
}

const loadedText = ({ rows, sourceRows }: MirroredDocument): string =>
  `${numberText(String(rows))}${sourceRows === undefined ? '' : ` of ${numberText(String(sourceRows))}`} records are here so far.`

/** How far a document is; of how many records is not always known. */
export function LoadBar({ mirrored, label }: { readonly mirrored: MirroredDocument; readonly label: string }) {
  const { rows, sourceRows } = mirrored
  if (sourceRows === undefined || sourceRows === 0) return null
  return <progress className={classes.bar} aria-label={label} value={Math.min(rows, sourceRows)} max={sourceRows} />
}
