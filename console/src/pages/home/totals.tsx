import { Suspense } from 'react'
import { numberText } from '../../parts/field-value.tsx'
import { Plot } from '../../parts/lazy-plot.tsx'
import { t } from '../../words/words.ts'
import classes from './home.module.css'

export interface Total {
  readonly label: string
  readonly value: number
}

/** Numbers as a plot, and as a table for who cannot see it. */
export function Totals({ totals, label }: { readonly totals: readonly Total[]; readonly label: string }) {
  return (
    <>
      <Suspense fallback={<div className={classes.plotSpace} />}>
        <Plot points={totals} label={label} />
      </Suspense>
      <details>
        <summary>{t('As a table')}</summary>
        <table className={classes.totals}>
          <tbody>
            {totals.map((total) => (
              <tr key={total.label}>
                <th scope="row">
                  <bdi>{total.label}</bdi>
                </th>
                <td>{numberText(String(total.value))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
