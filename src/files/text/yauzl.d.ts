// Types for the used part of yauzl, which has none.
declare module 'yauzl' {
  import type { Readable } from 'node:stream'

  export interface Entry {
    readonly fileName: string
  }

  export interface ZipFile {
    eachEntry(): AsyncIterable<Entry>
    openReadStreamPromise(entry: Entry): Promise<Readable>
  }

  export function fromBufferPromise(
    content: Buffer,
    options: { readonly validateEntrySizes: boolean; readonly strictFileNames: boolean },
  ): Promise<ZipFile>
}
