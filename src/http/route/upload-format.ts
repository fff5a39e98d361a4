// The bodies that bring a file.

import type { TSchema } from 'typebox'
import type { JsonValue } from '../../base/strict-json.ts'
import type { GivenContent } from '../../files/file-store.ts'

/** Where the file is in the body of a request. */
export interface UploadFormat {
  /** The member that holds the content in base64; in a form, the content may also be a part with a file name. */
  readonly contentMember: string
  /** The member that gets the file name of that part, unless the form has a field for it. */
  readonly nameMember: string
  /** Fields of a form that hold JSON text. */
  readonly jsonFields: readonly string[]
  /** Maximum size of the content after decoding, whatever its encoding. */
  readonly maxBytes: number
}

export interface FileUpload extends UploadFormat {
  /** Schema of the multipart form; the alternative is the JSON of the route's `body`. */
  readonly form: TSchema
}

/** A route's way to take a body that is a file itself. */
export interface RawUpload {
  /** The media types that it takes. */
  readonly types: readonly string[]
  readonly maxBytes: number
}

/** The parsed body of a request with a file. */
export interface ReadBody {
  readonly body: JsonValue
  readonly content: GivenContent
}
