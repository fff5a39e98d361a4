// Icons for files without a thumbnail: a page with a folded corner and a band with the name of the type. Letters are
// drawn as strokes, so no font is needed. Straight edges align with the pixels of the most frequent sizes.
import sharp from 'sharp'

export type IconName = 'pdf' | 'word' | 'generic'

/** Side of the drawing with letters, in its own units. Letters are illegible below a third of it. */
const LARGE = 96
/** Side of the drawing with a sign instead of letters. */
const SMALL = 16
const LETTERS_FROM_PIXELS = 32
/** Density at which one unit of a drawing is one pixel. */
const UNIT_DENSITY = 72

// No caching, because icon-drawer.ts caches; no concurrency, because a process runs one job at a time; and no formats
// but SVG.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })

/** Renders an icon as a square PNG directly at the requested size, without scaling. */
export async function drawIcon(name: IconName, pixels: number): Promise<Uint8Array> {
  const isLarge = pixels >= LETTERS_FROM_PIXELS
  const [drawing, side] = isLarge ? [largeIcon(name), LARGE] : [smallIcon(name), SMALL]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${drawing}</svg>`
  return sharp(Buffer.from(svg), { density: (UNIT_DENSITY * pixels) / side })
    .resize(pixels, pixels)
    .png()
    .toBuffer()
}

interface Band {
  readonly colour: string
  /** Colour of the end that is folded around the page. */
  readonly shade: string
  /** Strokes for the large icon. */
  readonly letters: string
  /** Pixels for the small icon. */
  readonly sign: string
}

const BANDS: Readonly<Record<Exclude<IconName, 'generic'>, Band>> = {
  pdf: {
    colour: '#c8323c',
    shade: '#8c1f28',
    letters: 'M19 73V57h5a4.3 4.3 0 0 1 0 8.6h-5M36.5 57h3a7 7 0 0 1 0 14h-3zM54.5 73V57h9.5M54.5 65h7.5',
    sign: 'M5 8h3v3h-2v2h-1zM6 9v1h1v-1z',
  },
  word: {
    colour: '#2b62b5',
    shade: '#1a4180',
    letters: 'M17.5 57h3a7 7 0 0 1 0 14h-3zM41 57a6 7 0 0 1 0 14a6 7 0 0 1 0-14zM65 59.5a6 7 0 1 0 0 9',
    sign: 'M4 8h1v4h-1zM8 8h1v4h-1zM6 10h1v2h-1zM5 12h1v1h-1zM7 12h1v1h-1z',
  },
}

function largeIcon(name: IconName): string {
  const page = `
    <path d="M24 6H60L78 24V84a6 6 0 0 1-6 6H24a6 6 0 0 1-6-6V12a6 6 0 0 1 6-6z" fill="#f7f9fb" stroke="#a9b4c0" stroke-width="2"/>
    <path d="M60 6V20a4 4 0 0 0 4 4H78z" fill="#d5dce4" stroke="#a9b4c0" stroke-width="2" stroke-linejoin="round"/>`
  if (name === 'generic') return `${page}${lines('M30 36H66M30 48H66M30 60H66M30 72H54', 4)}`
  const { colour, shade, letters } = BANDS[name]
  return `${page}${lines('M30 24H48M30 36H66', 4)}
    <path d="M9 78L18 84V78z" fill="${shade}"/>
    <path d="M12 48H69a3 3 0 0 1 3 3V75a3 3 0 0 1-3 3H9V51a3 3 0 0 1 3-3z" fill="${colour}"/>
    <path d="${letters}" fill="none" stroke="#fff" stroke-width="4"/>`
}

function smallIcon(name: IconName): string {
  const page = `
    <path d="M3.5 1.5H10L13.5 5V14.5H3.5z" fill="#f7f9fb" stroke="#8f9ba8"/>
    <path d="M9.5 1.5V5.5H13.5z" fill="#c3ccd6" stroke="#8f9ba8" stroke-linejoin="round"/>`
  if (name === 'generic') return `${page}${lines('M5 7.5H12M5 9.5H12M5 11.5H10', 1)}`
  const { colour, sign } = BANDS[name]
  return `${page}<path d="M2 7H11V14H2z" fill="${colour}"/><path d="${sign}" fill="#fff"/>`
}

function lines(path: string, width: number): string {
  return `<path d="${path}" stroke="#bcc6d1" stroke-width="${width}"/>`
}
