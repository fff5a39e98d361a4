import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { MarkedText } from '../../parts/marked-text.tsx'
import { Preformatted } from '../../parts/preformatted.tsx'
import classes from './document.module.css'

/** The source, whatever it is: markup is shown, not run. */
export function TextView({ content, search }: { readonly content: Blob; readonly search: string }) {
  const id = useId()
  const { data } = useQuery({
    queryKey: ['text', id, content.size],
    queryFn: () => content.text(),
    gcTime: 0,
  })
  if (data === undefined) return <Loading lines={10} />
  return (
    <Preformatted className={classes.text}>
      <MarkedText text={data} search={search} />
    </Preformatted>
  )
}
