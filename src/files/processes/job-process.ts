// The program of a job process. The libraries for a kind of job are loaded with the first job of that kind.
import { isInstalled } from '../../base/process/optional-packages.ts'
import { lowerPriority } from '../../base/process/processes.ts'
import type { IconName } from './icons.ts'
import { type JobWork, type LoadWork, runJobs } from './serve-jobs.ts'

/** Jobs are slow anyway, so requests for records get the CPU first, once the libraries are loaded. */
const inBackground =
  (load: () => Promise<JobWork>): LoadWork =>
  async () => {
    const work = await load()
    lowerPriority()
    return work
  }

await runJobs({
  picture: inBackground(async () => {
    const { drawPicture } = await import('./picture.ts')
    return (content, { width, height }) => drawPicture(content, { width: Number(width), height: Number(height) })
  }),
  icon: inBackground(async () => {
    const { drawIcon } = isInstalled('sharp')
      ? await import('./icons.ts')
      : { drawIcon: (await import('./plain-icon.ts')).drawPlainIcon }
    return async (_content, { icon, side }) => drawIcon(String(icon) as IconName, Number(side))
  }),
  'pdf-page': inBackground(async () => {
    const { drawPdfPage } = await import('./pdf-page.ts')
    return (content, { width, height }) => drawPdfPage(content, { width: Number(width), height: Number(height) })
  }),
  text: inBackground(async () => {
    const { extractText } = await import('../text/extract-text.ts')
    return async (content, { mimeType }) => Buffer.from(await extractText(String(mimeType), content))
  }),
})
