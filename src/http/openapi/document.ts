// Types for the parts of OpenAPI 3.1 that the description uses. In `openapi-types` every part may be a reference and
// most are optional: in their place they made 174 type errors in the code and tests that read the description.

/** A JSON Schema, or a reference to a named one. */
export interface Schema {
  readonly [keyword: string]: unknown
}

export interface Example {
  readonly summary: string
  /** The request line. */
  readonly description: string
  readonly value: unknown
  /** For examples of responses: the request body. */
  readonly 'x-request-body'?: unknown
}

export interface MediaType {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, Example>>
  /** For forms: the encoding of each part, by member. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>
}

export type Content = Readonly<Record<string, MediaType>>

export interface Header {
  readonly description: string
  readonly schema: Schema
  readonly example?: string
}

export interface Response {
  readonly description: string
  readonly headers: Readonly<Record<string, Header>>
  readonly content?: Content
  /** Further media types. Entries of `content` would make client generators widen the type of the body by `string`. */
  readonly 'x-by-accept'?: readonly string[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
}

type Security = readonly Readonly<Record<string, readonly string[]>>[]

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly [string]
  readonly 'x-permission'?: string
  readonly security?: Security
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: true; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

/** Operations by method in lower case. */
type PathItem = Readonly<Record<string, Operation>>

export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly security: Security
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    /** Responses to requests that match no operation. */
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}
