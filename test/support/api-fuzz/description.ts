// The API description as a test oracle: its operations, and the JSON Schemas of its answers.
import { Compile } from 'typebox/schema'
import type { OpenApi, Operation, Parameter, Response, Schema } from '../../../src/http/openapi/document.ts'

export interface DescribedOperation {
  readonly id: string
  /** In upper case. */
  readonly method: string
  /** With `{name}` for each parameter of the path. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly bodyTypes: readonly string[]
  /** Absent when the operation takes no body. */
  readonly bodySchema: Schema | undefined
  readonly responses: Readonly<Record<string, Response>>
  /** No credentials are required. */
  readonly isOpen: boolean
}

export class Description {
  /** All. */
  readonly all: readonly DescribedOperation[]
  /** Those whose requests are made at random. */
  readonly operations: readonly DescribedOperation[]
  readonly #document: OpenApi
  readonly #closed: Readonly<Record<string, Schema>>
  readonly #validators = new Map<string, ReturnType<typeof Compile>>()

  constructor(document: OpenApi) {
    this.#document = document
    this.all = operationsOf(document)
    this.operations = this.all.filter(({ path }) => !OF_BATCHES.test(path))
    this.#closed = Object.fromEntries(
      Object.entries(document.components.schemas).map(([name, schema]) => [
        name,
        // A selection's members are named as they were selected: `status(description)` too.
        name.endsWith('Selected') ? schema : closed(schema),
      ]),
    )
  }

  operation(id: string): DescribedOperation {
    const found = this.operations.find((one) => one.id === id)
    if (!found) throw new Error(`the description has no operation ${id}`)
    return found
  }

  /** The methods of an address, in the order of `Allow`. */
  methodsOf(path: string): string[] {
    return this.all.filter((one) => one.path === path).map((one) => one.method)
  }

  /** The described answer to a request that belongs to no operation. */
  otherResponse(status: number): Response | undefined {
    const responses = Object.values(this.#document.components.responses)
    return responses.find(({ description }) => description.startsWith(`${status}`))
  }

  /** Follows a reference to a schema of the components; otherwise returns the schema itself. */
  resolve(schema: Schema): Schema {
    const { $ref } = schema
    if (typeof $ref !== 'string') return schema
    const found = this.#document.components.schemas[$ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`the description has no schema ${$ref}`)
    return found
  }

  /** Why a value does not fit a schema; unknown members are errors. */
  faultOf(schema: Schema, value: unknown): string | undefined {
    const key = JSON.stringify(schema)
    const components = { schemas: this.#closed }
    const validator = this.#validators.get(key) ?? Compile({ components, ...schema } as never)
    this.#validators.set(key, validator)
    if (validator.Check(value)) return undefined
    const [, errors] = validator.Errors(value)
    return errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')
  }
}

/**
 * Not random: each request for a batch operation leaves behind what is done in the background. Their own test compares
 * each answer with the description.
 */
const OF_BATCHES = /^\/v1\/(?:[a-z-]+\/batch|batch-operations)(?:\/|$)/

/** Its messages have a protocol of their own, and a test of random ones. */
const OF_AGENTS = '/mcp'

function operationsOf({ paths: { [OF_AGENTS]: _agents, ...paths } }: OpenApi): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => describedOf(method, path, operation)),
  )
}

function describedOf(method: string, path: string, operation: Operation): DescribedOperation {
  const content = operation.requestBody?.content ?? {}
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    parameters: operation.parameters ?? [],
    bodyTypes: Object.keys(content),
    bodySchema: Object.values(content)[0]?.schema,
    responses: operation.responses,
    isOpen: operation.security?.length === 0,
  }
}

/** The schema with unknown members forbidden at every depth. */
function closed(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map((one) => closed(one as Schema)) as unknown as Schema
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).map(([keyword, part]) => [keyword, closed(part as Schema)] as const)
  const { properties, additionalProperties } = schema
  const isOpen = !properties || Object.keys(properties).length === 0 || additionalProperties !== undefined
  return Object.fromEntries(isOpen ? parts : [...parts, ['additionalProperties', false]])
}
