import { t } from '../../words/words.ts'
import classes from './import.module.css'

export type Step = 'file' | 'columns' | 'rows' | 'done'

const titles = (): Readonly<Record<Step, string>> => ({
  file: t('File'),
  columns: t('Columns'),
  rows: t('Rows'),
  done: t('Loaded'),
})

/** Where one is on the way from a file to records; `onGo` leads back. */
export function Steps({ at, onGo }: { readonly at: Step; readonly onGo?: (step: Step) => void }) {
  const all = Object.entries(titles()) as [Step, string][]
  const place = all.findIndex(([step]) => step === at)
  return (
    <ol className={classes.steps} aria-label={t('Steps of the import')}>
      {all.map(([step, title], index) => (
        <li key={step} aria-current={step === at ? 'step' : undefined} data-past={index < place || undefined}>
          {onGo && index < place && step !== 'file' && at !== 'done' ? (
            <button type="button" onClick={() => onGo(step)}>
              <span>{title}</span>
            </button>
          ) : (
            <span>{title}</span>
          )}
        </li>
      ))}
    </ol>
  )
}
