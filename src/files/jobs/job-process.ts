// The program of a job process. The libraries for a kind of job are loaded with the first job of that kind.
import type { IconName } from '../thumbnails/icons.ts'
import { runJobs } from './serve-jobs.ts'

await runJobs({
  picture: async (content, { width, height }) => {
    const { drawPicture } = await import('../thumbnails/picture.ts')
    return drawPicture(content, { width: Number(width), height: Number(height) })
  },
  icon: async (_content, { icon, side }) => {
    const { drawIcon } = await import('../thumbnails/icons.ts')
    return drawIcon(String(icon) as IconName, Number(side))
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
