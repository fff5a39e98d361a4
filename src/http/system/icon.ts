// The picture that browsers ask for by themselves: a tablet with lines of writing, as a PNG.
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const GROUND = [0x1b, 0x5e, 0x8c]
const LINES = [0xfd, 0xfd, 0xfb]
/** Rows of a grid of 8: written lines and how far each reaches. */
const REACH = [0, 0, 6, 0, 6, 0, 4, 0]

/** Square, with so many pixels a side. */
export function iconPng(side: number): Buffer {
  const rows = Array.from({ length: side }, (_, y) => {
    const reach = REACH[Math.floor((y * 8) / side)] ?? 0
    const pixels = Array.from({ length: side }, (_, x) => {
      const column = Math.floor((x * 8) / side)
      return column >= 1 && column <= reach ? LINES : GROUND
    })
    // Each row begins with the kind of its filter: none.
    return Buffer.from([0, ...pixels.flat()])
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // 8 bits for each of red, green and blue.
  header.set([8, 2], 8)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([SIGNATURE, ...parts])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
