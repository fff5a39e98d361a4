import { useQuery } from '@tanstack/react-query'
import { BlobImage } from '../../parts/blob-image.tsx'
import { type ArchivedDocument, fetchThumbnail } from '../../service/archive.ts'
import classes from './documents.module.css'

const PIXELS = 192

/** A picture of the first page, or of the kind of file. The title beside it says what it is. */
export function Thumbnail({ company, document }: { readonly company: string; readonly document: ArchivedDocument }) {
  const { id, revisionNo } = document
  const { data } = useQuery({
    queryKey: [company, 'thumbnail', id, revisionNo],
    queryFn: () => fetchThumbnail(company, id, revisionNo, PIXELS),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <div className={classes.thumbnail}>{data && <BlobImage content={data} alt="" className={classes.picture} />}</div>
  )
}
