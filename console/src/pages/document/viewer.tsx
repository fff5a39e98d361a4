// A content as a person reads it: PDF and texts with the hits of a search marked, pictures as they are, of all others a
// picture by the service. Nothing of a content runs: no plugin of the browser, no HTML, no SVG.
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { BlobImage } from '../../parts/blob-image.tsx'
import { sizeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { notify } from '../../parts/notices.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { fetchContent, fetchContentHead, fetchThumbnail } from '../../service/archive.ts'
import { saveFile } from '../../service/save-file.ts'
import { t } from '../../words/words.ts'
import classes from './document.module.css'
import { isOffice, typeText } from './office-types.ts'
import { TextView } from './text-view.tsx'

const PdfView = lazy(() => import('./pdf-view.tsx'))
const OfficeView = lazy(() => import('./office-view.tsx'))
const MailView = lazy(() => import('./mail-view.tsx'))

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']
/** Larger contents are saved rather than shown. */
const MAX_SHOWN_BYTES = 40_000_000
const MAX_TEXT_BYTES = 2_000_000
const THUMBNAIL_PIXELS = 600

interface ViewerProps {
  readonly company: string
  readonly id: string
  readonly revisionNo: number
  readonly fileName: string
  readonly search: string
}

export function Viewer({ company, id, revisionNo, fileName, search }: ViewerProps) {
  const { data: head, error } = useQuery({
    queryKey: [company, 'content-head', id, revisionNo],
    queryFn: () => fetchContentHead(company, id, revisionNo),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const save = async () => {
    try {
      saveFile(await fetchContent(company, id, revisionNo), fileName)
    } catch (failure) {
      notify(t('No file: {{reason}}', { reason: failure instanceof Error ? failure.message : String(failure) }))
    }
  }
  const kind = head && kindOf(head.mimeType, head.size)
  return (
    <section className={classes.viewer} aria-label={t('Revision {{number}}', { number: revisionNo })}>
      <div className={classes.bar}>
        <Text size="sm">
          {head
            ? t('Revision {{number}}: {{size}}, {{type}}', {
                number: revisionNo,
                size: sizeText(head.size),
                type: typeText(typeOf(head.mimeType)),
              })
            : t('Revision {{number}}', { number: revisionNo })}
        </Text>
        <Button variant="default" onClick={() => void save()}>
          {t('Save file')}
        </Button>
      </div>
      {error && <ProblemNote error={error} />}
      {!head && !error && <Loading lines={10} />}
      {head && kind === 'other' && <Stand company={company} id={id} revisionNo={revisionNo} head={head} />}
      {head && kind !== undefined && kind !== 'other' && (
        <Content company={company} id={id} revisionNo={revisionNo} kind={kind} type={head.mimeType} search={search} />
      )}
    </section>
  )
}

type Kind = 'pdf' | 'picture' | 'text' | 'mail' | 'office' | 'other'

/** Without the parameters. */
const typeOf = (mimeType: string): string => mimeType.replace(/;.*$/, '').trim().toLowerCase()

function kindOf(mimeType: string, size: number): Kind {
  const type = typeOf(mimeType)
  if (size === 0 || size > MAX_SHOWN_BYTES) return 'other'
  if (type === 'application/pdf') return 'pdf'
  if (type === 'message/rfc822') return 'mail'
  if (isOffice(type)) return 'office'
  if (PICTURES.includes(type)) return 'picture'
  const isText = type.startsWith('text/') || /^(?:application\/(?:json|xml|x-ndjson)|image\/svg\+xml)$/.test(type)
  return isText && size <= MAX_TEXT_BYTES ? 'text' : 'other'
}

interface ContentProps {
  readonly company: string
  readonly id: string
  readonly revisionNo: number
  readonly kind: Exclude<Kind, 'other'>
  readonly type: string
  readonly search: string
}

function Content({ company, id, revisionNo, kind, type, search }: ContentProps) {
  const { data: content, error } = useQuery({
    queryKey: [company, 'content', id, revisionNo],
    queryFn: ({ signal }) => fetchContent(company, id, revisionNo, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  if (error) return <ProblemNote error={error} />
  if (!content) return <Loading lines={10} />
  if (kind === 'text') return <TextView content={content} type={type} search={search} />
  if (kind === 'picture') {
    const picture = content.slice(0, content.size, typeOf(type))
    return (
      <BlobImage
        content={picture}
        alt={t('The picture in revision {{number}}', { number: revisionNo })}
        className={classes.picture}
      />
    )
  }
  return (
    <Suspense fallback={<Loading lines={10} />}>
      {kind === 'mail' && <MailView content={content} search={search} />}
      {kind === 'office' && <OfficeView content={content} type={typeOf(type)} search={search} />}
      {kind === 'pdf' && <PdfView content={content} search={search} />}
    </Suspense>
  )
}

interface StandProps extends Pick<ViewerProps, 'company' | 'id' | 'revisionNo'> {
  readonly head: { readonly mimeType: string; readonly size: number }
}

/** Why a content is not shown, by its media type. */
const REASONS: readonly (readonly [RegExp, () => string])[] = [
  [
    /^image\/hei[cf]/,
    () => t('No browser shows pictures of this kind (HEIC), as phones take them. Save it to open it.'),
  ],
  [/^image\//, () => t('Browsers do not show pictures of this kind. Save it to open it.')],
  [
    /msword|ms-(?:word|excel|powerpoint)|opendocument|officedocument/,
    () =>
      t(
        'An Office file of an older or rare form. Save it to open it, or file it as .docx, .xlsx or .pptx to read it here.',
      ),
  ],
  [/ms-outlook/, () => t('An e-mail in the form of Outlook. Save it to open it, or file it as .eml to read it here.')],
  [/zip|compressed|x-(?:tar|7z|rar)/, () => t('An archive of files. Save it to unpack it.')],
  [/^(?:audio|video)\//, () => t('Sound and films are not played here. Save the file to open it.')],
]

function reasonOf({ mimeType, size }: StandProps['head']): string {
  if (size === 0) return t('The file is empty.')
  if (size > MAX_SHOWN_BYTES) return t('Files of this size are not shown here. Save the file to open it.')
  const type = typeOf(mimeType)
  return (
    REASONS.find(([types]) => types.test(type))?.[1]() ??
    t('Files of this kind or size are not shown here. Save the file to open it.')
  )
}

/** What stands for a content that cannot be shown. */
function Stand({ company, id, revisionNo, head }: StandProps) {
  const { data } = useQuery({
    queryKey: [company, 'thumbnail', id, revisionNo, THUMBNAIL_PIXELS],
    queryFn: () => fetchThumbnail(company, id, revisionNo, THUMBNAIL_PIXELS),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <Text size="sm" c="dimmed">
        {reasonOf(head)}
      </Text>
      {data && <BlobImage content={data} alt={t('A small picture of the file')} className={classes.picture} />}
    </>
  )
}
