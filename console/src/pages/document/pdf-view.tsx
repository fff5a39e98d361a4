// A PDF by PDF.js: each page is drawn when it comes into view, with its text over it for reading out, copying and marks.
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy, type PDFPageProxy, TextLayer } from 'pdfjs-dist'
import { useEffect, useId, useRef, useState } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { partsOf, type TextPart } from '../../service/search-words.ts'
import { t } from '../../words/words.ts'
import classes from './document.module.css'
import { showFirstMark } from './show-first-mark.ts'

/** Where the service has the files of PDF.js: src/http/system/console.ts. */
declare const PDF_FILES: string
const FILES = import.meta.env.BASE_URL + PDF_FILES
GlobalWorkerOptions.workerSrc = `${FILES}legacy/build/pdf.worker.mjs`

const OPTIONS = {
  cMapUrl: `${FILES}cmaps/`,
  standardFontDataUrl: `${FILES}standard_fonts/`,
  wasmUrl: `${FILES}wasm/`,
  useWasm: false,
  // The policy of the worker lets it load scripts alone.
  useWorkerFetch: false,
  enableXfa: false,
}

/** A document with more pages is shown up to here. */
const MOST_PAGES = 500
const MARGIN = '800px'
const MAX_PIXELS = 8_000_000

export default function PdfView({ content, search }: { readonly content: Blob; readonly search: string }) {
  const id = useId()
  const { data: pdf, error } = useQuery({
    queryKey: ['pdf', id, content.size],
    queryFn: async () => getDocument({ ...OPTIONS, data: await content.arrayBuffer() }).promise,
    gcTime: 0,
    retry: false,
  })
  const { data: isScan } = useQuery({
    queryKey: ['pdf-words', id, content.size],
    queryFn: () => (pdf ? hasPicturesAlone(pdf) : false),
    enabled: pdf !== undefined,
    gcTime: 0,
    retry: false,
  })
  const { data: firstFound } = useQuery({
    queryKey: ['pdf-found', id, content.size, search],
    queryFn: () => (pdf ? firstPageWith(pdf, search) : 0),
    enabled: pdf !== undefined && search !== '',
    gcTime: 0,
    retry: false,
  })
  useEffect(() => () => void pdf?.loadingTask.destroy(), [pdf])
  if (error) return <ProblemNote error={new Error(whyNotShown(error))} />
  if (!pdf) return <Loading lines={10} />
  const count = Math.min(pdf.numPages, MOST_PAGES)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.pages} tabIndex={0} aria-label={t('PDF of {{count}} pages', { count: pdf.numPages })}>
      {isScan && (
        <Text size="sm" c="dimmed">
          {t('The pages are pictures, such as those of a scanner: a search does not find their words.')}
        </Text>
      )}
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pages are numbered
        <PdfPage key={place} pdf={pdf} number={place + 1} search={search} isFirstFound={firstFound === place + 1} />
      ))}
      {count < pdf.numPages && <p>{t('The first {{count}} pages are shown. Save the file to see all.', { count })}</p>}
    </section>
  )
}

/** The first pages tell it. */
const TELLING_PAGES = 3

async function hasPicturesAlone(pdf: PDFDocumentProxy): Promise<boolean> {
  for (let number = 1; number <= Math.min(pdf.numPages, TELLING_PAGES); number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    if (items.some((item) => 'str' in item && item.str.trim() !== '')) return false
    if ((await fieldsOf(page)).length > 0) return false
  }
  return true
}

/** The number of the first page with a hit; 0 without one. */
async function firstPageWith(pdf: PDFDocumentProxy, search: string): Promise<number> {
  for (let number = 1; number <= Math.min(pdf.numPages, MOST_PAGES); number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const runs = items.flatMap((item) => ('str' in item ? [item.str] : []))
    const texts = [...runs, ...(await fieldsOf(page)).map(({ text }) => text)]
    if (texts.some((text) => partsOf(text, search).some(({ isHit }) => isHit))) return number
  }
  return 0
}

function whyNotShown({ name, message }: Error): string {
  if (name === 'PasswordException') return t('The PDF needs a password. Save the file to open it.')
  if (name === 'InvalidPDFException') return t('The file is damaged, or is no PDF. Save it to try another program.')
  return t('The PDF cannot be shown: {{reason}}', { reason: message })
}

interface PdfPageProps {
  readonly pdf: PDFDocumentProxy
  readonly number: number
  readonly search: string
  readonly isFirstFound: boolean
}

function PdfPage({ pdf, number, search, isFirstFound }: PdfPageProps) {
  const frame = useRef<HTMLElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  const [isNear, setNear] = useState(false)
  const [note, setNote] = useState('')
  useEffect(() => {
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: MARGIN },
    )
    if (frame.current) watcher.observe(frame.current)
    return () => watcher.disconnect()
  }, [])
  useEffect(() => {
    const element = frame.current
    if (!isNear || !element) return undefined
    const stop = new AbortController()
    draw(pdf, number, element, search, stop.signal).then(
      (missing) => {
        setDrawn(true)
        setNote(
          missing === 0 ? '' : t('{{count}} pictures of this page cannot be shown. Save the file.', { count: missing }),
        )
      },
      (error: Error) => {
        if (!stop.signal.aborted) setNote(t('This page cannot be shown: {{reason}}', { reason: error.message }))
      },
    )
    return () => stop.abort()
  }, [pdf, number, search, isNear])
  // A page that is not drawn yet is when it is seen, and has its marks then.
  useEffect(() => {
    if (!isFirstFound) return
    if (isDrawn) showFirstMark(frame.current)
    else frame.current?.scrollIntoView()
  }, [isFirstFound, isDrawn])
  return (
    <section ref={frame} className={classes.page} aria-label={t('Page {{number}}', { number })}>
      <canvas />
      <div className={classes.textLayer} />
      {note !== '' && <p>{note}</p>}
    </section>
  )
}

/** Returns how many pictures of the page are missing. */
async function draw(
  pdf: PDFDocumentProxy,
  number: number,
  frame: HTMLElement,
  search: string,
  signal: AbortSignal,
): Promise<number> {
  const page = await pdf.getPage(number)
  const canvas = frame.querySelector('canvas')
  const layer = frame.querySelector<HTMLElement>(`.${classes.textLayer}`)
  if (signal.aborted || !canvas || !layer) return 0
  const natural = page.getViewport({ scale: 1 })
  const scale = frame.clientWidth / natural.width
  const viewport = page.getViewport({ scale })
  const ratio = Math.min(devicePixelRatio, Math.sqrt(MAX_PIXELS / (viewport.width * viewport.height)))
  frame.style.setProperty('--total-scale-factor', String(scale))
  frame.style.aspectRatio = `${natural.width} / ${natural.height}`
  canvas.width = Math.floor(viewport.width * ratio)
  canvas.height = Math.floor(viewport.height * ratio)
  const task = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] })
  signal.addEventListener('abort', () => task.cancel())
  layer.replaceChildren()
  const text = new TextLayer({ textContentSource: page.streamTextContent(), container: layer, viewport })
  const [fields] = await Promise.all([fieldsOf(page), task.promise, text.render()])
  const boxes = fields.map((field) => boxOf(field, page.view, scale))
  layer.append(...boxes)
  mark([...text.textDivs, ...boxes], search)
  // PDF.js leaves out a picture that it cannot decode, and only warns of it.
  return [...page.objs].filter(([, data]) => data === null).length
}

interface Field {
  readonly rect: readonly number[]
  readonly text: string
}

/** What people have filled in: it is drawn with the page, but stands not among its texts. */
async function fieldsOf(page: PDFPageProxy): Promise<readonly Field[]> {
  const annotations: readonly Record<string, unknown>[] = await page.getAnnotations()
  return annotations.flatMap(({ fieldType, fieldValue, rect }) => {
    const text = fieldType === 'Tx' || fieldType === 'Ch' ? [fieldValue ?? []].flat().join(' ') : ''
    return text === '' ? [] : [{ rect: rect as number[], text }]
  })
}

/** Over the field, in shares of the page before it is turned. */
function boxOf({ rect, text }: Field, view: readonly number[], scale: number): HTMLElement {
  const [left = 0, bottom = 0, right = 0, top = 0] = rect
  const [x = 0, y = 0, endX = 1, endY = 1] = view
  const box = document.createElement('span')
  const share = (part: number, whole: number) => `${(100 * part) / whole}%`
  box.textContent = text
  box.style.left = share(left - x, endX - x)
  box.style.top = share(endY - top, endY - y)
  box.style.width = share(right - left, endX - x)
  box.style.fontSize = `${Math.min(top - bottom, FIELD_POINTS) * scale * 0.8}px`
  box.style.overflow = 'hidden'
  box.style.transform = 'none'
  return box
}

/** As high as letters of a field usually are: others have several lines. */
const FIELD_POINTS = 16

/** The hits alone: PDF.js has laid out the runs of letters that they stand in, and goes on to do so. */
function mark(runs: readonly HTMLElement[], search: string): void {
  for (const run of runs) {
    const parts = partsOf(run.textContent ?? '', search)
    if (parts.some(({ isHit }) => isHit)) run.replaceChildren(...parts.map(nodeOf))
  }
}

function nodeOf({ text, isHit }: TextPart): Node | string {
  if (!isHit) return text
  const hit = document.createElement('mark')
  hit.textContent = text
  return hit
}
