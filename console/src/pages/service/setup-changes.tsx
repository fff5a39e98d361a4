import { Text } from '@mantine/core'
import { ShownText } from '../../parts/shown-text.tsx'
import { t } from '../../words/words.ts'
import classes from './service.module.css'

/** The first character of a line tells what becomes of the item. */
const KINDS: Readonly<Record<string, () => string>> = {
  '+': () => t('New'),
  '~': () => t('Changed'),
  '-': () => t('Removed'),
}

/** What a setup would change, without what stays. */
export function SetupChanges({ text }: { readonly text: string }) {
  const lines = text.split('\n').filter((line) => line.slice(0, 1) in KINDS)
  if (lines.length === 0) return <Text size="sm">{t('Nothing would change.')}</Text>
  return (
    <>
      <Text size="sm" fw={600}>
        {t('What would change:')}
      </Text>
      <ul className={classes.changes}>
        {lines.map((line) => (
          <li key={line}>
            <strong>{KINDS[line.slice(0, 1)]?.()}</strong> <ShownText text={line.slice(2)} length={500} />
          </li>
        ))}
      </ul>
    </>
  )
}
