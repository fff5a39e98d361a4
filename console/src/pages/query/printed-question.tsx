import { Title } from '@mantine/core'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Preformatted } from '../../parts/preformatted.tsx'
import { t } from '../../words/words.ts'
import type { Printed } from './printed.ts'
import classes from './query.module.css'

const names = (): Readonly<Record<keyof Printed, string>> => ({
  url: 'URL',
  curl: 'curl',
  typescript: 'TypeScript',
  excelFile: t('Excel file'),
  excel: t('Excel connection'),
})

/** The question as it stands in the form, before it is asked. */
export function PrintedQuestion({ shown }: { readonly shown: Printed }) {
  return (
    <div className={classes.printed}>
      {Object.entries(names()).map(([form, name]) => (
        <section key={form} aria-label={name}>
          <div className={classes.printedHead}>
            <Title order={2} size="h5">
              {name}
            </Title>
            <CopyButton text={shown[form as keyof Printed]}>{t('Copy {{what}}', { what: name })}</CopyButton>
          </div>
          <Preformatted className={classes.code}>{shown[form as keyof Printed]}</Preformatted>
        </section>
      ))}
    </div>
  )
}
