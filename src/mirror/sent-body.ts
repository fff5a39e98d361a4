// The body of a write as the source takes it: JSON, with the file of the request in base64, whatever form it came in.
import { createReadStream } from 'node:fs'
import { base64Length, base64Of } from '../base/base64.ts'
import { isObject, type JsonValue } from '../base/strict-json.ts'
import type { GivenContent } from '../files/file-store.ts'
import { notBase64 } from '../records/documents/document-id.ts'
import type { SourceRequest } from './source/source.ts'

interface GivenBody {
  readonly body: JsonValue | undefined
  readonly content: GivenContent
}

/** `expected`: the answer to a file has the file again. Throws 400 for a file that cannot be read. */
export function sentBody({ body, content }: GivenBody): Pick<SourceRequest, 'body' | 'expected'> {
  if (content === 'not-base64') throw notBase64()
  if (content === 'none') return body === undefined ? {} : { body: JSON.stringify(body) }
  const members = isObject(body) ? body : {}
  if (content === 'empty') return { body: JSON.stringify({ ...members, fileContent: '' }) }
  const opening = `${JSON.stringify({ ...members, fileContent: '' }).slice(0, -2)}`
  return {
    expected: base64Length(content.size),
    async *body() {
      yield Buffer.from(opening)
      yield* base64Of(createReadStream(content.path))
      yield Buffer.from('"}')
    },
  }
}
