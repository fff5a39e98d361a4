// A process that works on file contents. What a kind of job needs is loaded with the first job of that kind.
import type { IconName } from '../thumbnails/icons.ts'
import { answerJobs } from './answer-jobs.ts'

await answerJobs({
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
