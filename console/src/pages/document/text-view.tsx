import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { MarkedText } from '../../parts/marked-text.tsx'
import { Preformatted } from '../../parts/preformatted.tsx'
import { decodedText } from './decoded-text.ts'
import classes from './document.module.css'
import { showFirstMark } from './show-first-mark.ts'

interface TextViewProps {
  readonly content: Blob
  /** The media type, which may name the encoding. */
  readonly type: string
  readonly search: string
}

/** The source, whatever it is: markup is shown, not run. */
export function TextView({ content, type, search }: TextViewProps) {
  const id = useId()
  const { data } = useQuery({
    queryKey: ['text', id, content.size],
    queryFn: async () => decodedText(new Uint8Array(await content.arrayBuffer()), type),
    gcTime: 0,
  })
  if (data === undefined) return <Loading lines={10} />
  return (
    <div ref={showFirstMark}>
      <Preformatted className={classes.text}>
        <MarkedText text={data} search={search} />
      </Preformatted>
    </div>
  )
}
