// Creates thumbnails of files. Untrusted contents are only opened in processes with time and memory limits. Whatever
// happens there, the result is an image that fits the requested size, or an icon.
import type { Readable } from 'node:stream'
import type { Flow } from '../../base/concurrency/fair-queue.ts'
import type { QueueFigures } from '../../base/concurrency/waiting-queue.ts'
import { isInstalled } from '../../base/process/optional-packages.ts'
import type { Observe } from '../../observe/observation.ts'
import { ICON_TIMEOUT_MS, IconDrawer } from './icon-drawer.ts'
import type { IconName } from './icons.ts'
import { JobFailed, JobKilled, QueueFull } from './job-faults.ts'
import { JobPool } from './job-pool.ts'
import { openPicture } from './picture-format.ts'
import { type Size, sizeOfPng } from './size.ts'

/** Default limit of processor time. A photograph takes a tenth of a second. */
const TIMEOUT_MS = 3_000
const MEMORY_BYTES = 256 * 1024 * 1024
/** A company uses two of them. */
const PROCESSES = 3
/** Maximum queue length; further callers get an icon immediately. */
const MAX_WAITING = 64

const WORD_TYPES: ReadonlySet<string> = new Set([
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
  'application/vnd.ms-word.document.macroenabled.12',
  'application/vnd.ms-word.template.macroenabled.12',
])

/** SVG is more like a program than an image: it is never opened. */
const SVG = 'image/svg+xml'

interface ThumbnailSettings {
  /** Whether the thumbnail of a PDF shows its first page. */
  readonly rendersPdf: boolean
  readonly observe: Observe
  /** The program of the job processes; replaced in tests. */
  readonly program?: URL
  /** Limit of processor time for an image; default 3 s. */
  readonly timeoutMs?: number | undefined
}

export interface PicturedFile {
  /** The caller, for fair scheduling. */
  readonly flow: Flow
  readonly mimeType: string
  readonly sizeBytes: number
  read(): Promise<Readable>
}

export interface Thumbnail extends Size {
  readonly png: Uint8Array
  /** False for an icon that replaces an image which may be available next time. */
  readonly isLasting: boolean
}

export class ThumbnailMaker {
  readonly #rendersPdf: boolean
  readonly #drawsPictures = isInstalled('sharp')
  readonly #observe: Observe
  readonly #pool: JobPool
  readonly #timeoutMs: number
  readonly #icons: IconDrawer

  constructor({ rendersPdf, observe, program, timeoutMs = TIMEOUT_MS }: ThumbnailSettings) {
    this.#rendersPdf = rendersPdf
    this.#observe = observe
    this.#timeoutMs = timeoutMs
    this.#icons = new IconDrawer(Math.max(timeoutMs, ICON_TIMEOUT_MS))
    const settings = { processes: PROCESSES, memoryBytes: MEMORY_BYTES, queue: MAX_WAITING }
    this.#pool = new JobPool(program ? { ...settings, program } : settings)
  }

  get figures(): QueueFigures {
    return this.#pool.figures
  }

  /** Whether thumbnails of this type are rendered from the content; other types have an icon. */
  rendersContent(mimeType: string): boolean {
    return this.#jobOf(mimeType) !== undefined
  }

  /**
   * Returns a thumbnail that fits the size. Throws the errors of reading the file, and a Problem (503) when not even an
   * icon can be rendered.
   */
  async make(file: PicturedFile, size: Size): Promise<Thumbnail> {
    const kind = this.#jobOf(file.mimeType)
    const icon = async (isLasting: boolean) => {
      const png = await this.#icons.draw(file.flow, iconOf(file.mimeType), size)
      return { png, ...sizeOfPng(png, size), isLasting }
    }
    if (!kind) return icon(true)
    try {
      const options = { width: size.width, height: size.height }
      const read = async () => (kind === 'picture' ? openPicture(await file.read()) : file.read())
      const png = await this.#pool.run(
        file.flow,
        { kind, options, timeoutMs: this.#timeoutMs },
        { sizeBytes: file.sizeBytes, read },
      )
      return { png, ...sizeOfPng(png, size), isLasting: true }
    } catch (error) {
      if (error instanceof JobFailed) return icon(true)
      if (!(error instanceof JobKilled || error instanceof QueueFull)) throw error
      this.#observe({
        kind: 'store-warning',
        message: `A thumbnail of ${file.mimeType} was not made: ${error instanceof JobKilled ? `killed, ${error.reason}` : error.message}`,
      })
      return icon(false)
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#icons.close()])
  }

  #jobOf(mimeType: string): 'picture' | 'pdf-page' | undefined {
    if (mimeType === 'application/pdf') return this.#rendersPdf ? 'pdf-page' : undefined
    return mimeType.startsWith('image/') && mimeType !== SVG && this.#drawsPictures ? 'picture' : undefined
  }
}

function iconOf(mimeType: string): IconName {
  if (mimeType === 'application/pdf') return 'pdf'
  return WORD_TYPES.has(mimeType.toLowerCase()) ? 'word' : 'generic'
}
