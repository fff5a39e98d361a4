import { Title } from '@mantine/core'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Preformatted } from '../../parts/preformatted.tsx'
import type { Printed } from './printed.ts'
import classes from './query.module.css'

const NAMES: Readonly<Record<keyof Printed, string>> = {
  url: 'URL',
  curl: 'curl',
  typescript: 'TypeScript',
  excelFile: 'Excel file',
  excel: 'Excel connection',
}

/** The question as it stands in the form, before it is asked. */
export function PrintedQuestion({ shown }: { readonly shown: Printed }) {
  return (
    <div className={classes.printed}>
      {Object.entries(NAMES).map(([form, name]) => (
        <section key={form} aria-label={name}>
          <div className={classes.printedHead}>
            <Title order={2} size="h5">
              {name}
            </Title>
            <CopyButton text={shown[form as keyof Printed]}>{`Copy ${name}`}</CopyButton>
          </div>
          <Preformatted className={classes.code}>{shown[form as keyof Printed]}</Preformatted>
        </section>
      ))}
    </div>
  )
}
