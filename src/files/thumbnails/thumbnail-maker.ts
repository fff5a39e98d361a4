// PLACEHOLDER until the real one is written: overwrite.
import type { Readable } from 'node:stream'
export class ThumbnailMaker {
  constructor(_settings: { rendersPdf: boolean; observe: unknown }) {}
  isMadeOfContent(_mimeType: string): boolean {
    return false
  }
  async make(
    _file: { mimeType: string; sizeBytes: number; read(): Promise<Readable> },
    size: { width: number; height: number },
  ) {
    return { png: new Uint8Array(), ...size, isLasting: false }
  }
  async close(): Promise<void> {}
}
