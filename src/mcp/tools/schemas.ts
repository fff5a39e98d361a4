// Parts of the schemas of tools. Every character of them is in the context of every conversation.
import type { JsonObject } from '../../base/strict-json.ts'
import type { ToolSchema } from './tool.ts'

/** Texts that are parsed as a part of a query, which the service bounds itself. */
export const TEXT = { type: 'string', maxLength: 4_000 } as const
export const NAME = { type: 'string', minLength: 1, maxLength: 100 } as const
export const RECORD = { type: 'object' } as const
export const RECORDS = { type: 'array', items: RECORD } as const
export const COUNT = { type: 'integer', minimum: 0 } as const
export const KEY: JsonObject = {
  type: 'object',
  maxProperties: 8,
  description: 'Its key properties with their values.',
}

/** The schema of a tool's arguments: no others are taken. */
export function takes(properties: JsonObject, ...required: string[]): ToolSchema {
  const company = { ...NAME, description: 'Default: your own.' }
  return { type: 'object', properties: { ...properties, company }, required, additionalProperties: false }
}

/** The schema of a tool's results. `mirror`: how old they are, where they are of a copy. */
export function gives(properties: JsonObject, ...required: string[]): ToolSchema {
  const all = { ...properties, mirror: { type: 'object' } }
  return { type: 'object', properties: all, required, additionalProperties: false }
}

/** What tools have that only read. */
export const READS = { annotations: { readOnlyHint: true, openWorldHint: false }, scope: 'mcp:read' } as const
