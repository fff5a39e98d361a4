// The program of a job process. The libraries for a kind of job are loaded with the first job of that kind.
import { isInstalled } from '../../base/process/optional-packages.ts'
import type { IconName } from '../thumbnails/icons.ts'
import { runJobs } from './serve-jobs.ts'

await runJobs({
  picture: async (content, { width, height }) => {
    const { drawPicture } = await import('../thumbnails/picture.ts')
    return drawPicture(content, { width: Number(width), height: Number(height) })
  },
  icon: async (_content, { icon, side }) => {
    const [name, pixels] = [String(icon) as IconName, Number(side)]
    if (!isInstalled('sharp')) return (await import('../thumbnails/plain-icon.ts')).drawPlainIcon(name, pixels)
    return (await import('../thumbnails/icons.ts')).drawIcon(name, pixels)
  },
  'pdf-page': async (content, { width, height }) => {
    const { drawPdfPage } = await import('../thumbnails/pdf-page.ts')
    return drawPdfPage(content, { width: Number(width), height: Number(height) })
  },
  text: async (content, { mimeType }) => {
    const { extractText } = await import('../text/extract-text.ts')
    return Buffer.from(await extractText(String(mimeType), content))
  },
})
