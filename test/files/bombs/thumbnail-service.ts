// A service that only draws thumbnails, in a process of its own, so that its memory is measured separately from that of
// the test. Takes a list of files, many at once, and prints the result of each.
import { createReadStream, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { ThumbnailMaker } from '../../../src/files/processes/thumbnail-maker.ts'

export interface Asked {
  readonly name: string
  readonly mimeType: string
  readonly path: string
  readonly sizeBytes: number
}

export interface Answered {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly isLasting: boolean
  readonly isPng: boolean
  /** From the opening of its content, or from the request when it was not opened. */
  readonly tookMs: number
  readonly readBytes: number
}

export interface Report {
  readonly answers: readonly Answered[]
  readonly warnings: readonly string[]
  /** Memory of this process in bytes: before the first request, and the maximum during all. */
  readonly residentBefore: number
  readonly residentMost: number
  /** The maximum memory of a job process. */
  readonly childMost: number
}

const LOOK_MS = 10
const SIZE = { width: 96, height: 96 }
const PNG = '89504e470d0a1a0a'

const [, , list = '', rendersPdf = '', atOnce = '50'] = process.argv
const files = JSON.parse(readFileSync(list, 'utf8')) as Asked[]
const warnings: string[] = []
const maker = new ThumbnailMaker({
  rendersPdf: rendersPdf === 'true',
  observe: (observation) => {
    if (observation.kind === 'store-warning') warnings.push(observation.message)
  },
})

async function draw({ name, mimeType, path, sizeBytes }: Asked): Promise<Answered> {
  let startedAt = performance.now()
  let readBytes = 0
  const read = async () => {
    startedAt = performance.now()
    return Readable.from(counted(path, (bytes) => (readBytes += bytes)))
  }
  const { png, width, height, isLasting } = await maker.make(
    { flow: { group: 'EN', member: 'client' }, mimeType, sizeBytes, read },
    SIZE,
  )
  const tookMs = Math.round(performance.now() - startedAt)
  const isPng = Buffer.from(png.subarray(0, 8)).toString('hex') === PNG
  return { name, width, height, isLasting, isPng, tookMs, readBytes }
}

/** Reads on when it is asked to: a listener would let the content flow before anybody takes it. */
async function* counted(path: string, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    count(piece.length)
    yield piece
  }
}

function childMemory(): number {
  const task = `/proc/${process.pid}/task/${process.pid}/children`
  const children = readFileSync(task, 'utf8').split(' ').filter(Boolean)
  return Math.max(0, ...children.map(mostMemoryOf))
}

function mostMemoryOf(pid: string): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

// Warm-up: loads all modules.
for (const file of files.slice(0, 5)) await draw(file)
globalThis.gc?.()
const residentBefore = process.memoryUsage.rss()
const most = { resident: residentBefore, child: 0 }
const look = setInterval(() => {
  // What is alive counts, not what V8 has not yet collected; collecting each time would keep a processor busy.
  if (process.memoryUsage.rss() > most.resident) globalThis.gc?.()
  most.resident = Math.max(most.resident, process.memoryUsage.rss())
  if (process.platform === 'linux') most.child = Math.max(most.child, childMemory())
}, LOOK_MS)

const answers: Answered[] = []
const waiting = [...files]
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) answers.push(await draw(file))
  }),
)
clearInterval(look)
await maker.close()
const report: Report = {
  answers,
  warnings,
  residentBefore,
  residentMost: most.resident,
  childMost: most.child,
}
process.stdout.write(JSON.stringify(report))
