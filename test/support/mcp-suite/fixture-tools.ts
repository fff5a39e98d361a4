// The tools that the conformance suite calls.
import { setTimeout as wait } from 'node:timers/promises'
import type { CallToolRequestParams, CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { PNG } from './fixture-resources.ts'
import { ROUND_TOOLS, type RoundTool } from './fixture-rounds.ts'
import { abilitiesOf, type Rounds } from './rounds.ts'

type Library = typeof import('@modelcontextprotocol/server')
type Simple = (context: ServerContext, library: Library) => CallToolResult | Promise<CallToolResult>

const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA='
const text = (content: string): CallToolResult => ({ content: [{ type: 'text', text: content }] })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }

const SIMPLE: Record<string, Simple> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  }),
  test_error_handling: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', data)
      await wait(50)
    }
    return text('logged')
  },
  test_logging_tool: async ({ mcpReq }) => {
    await mcpReq.log('info', 'only for those who asked for it')
    return text('logged')
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      }
      await wait(50)
    }
    return text('done')
  },
  test_missing_capability: (context, { MissingRequiredClientCapabilityError }) => {
    if (!abilitiesOf(context).sampling)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return text('able')
  },
}

const NO_ARGUMENTS = { type: 'object' as const }

export const TOOLS = [...Object.keys(SIMPLE), ...Object.keys(ROUND_TOOLS), 'json_schema_2020_12_tool'].map((name) => {
  const inputSchema = name === 'json_schema_2020_12_tool' ? richSchema() : NO_ARGUMENTS
  return { name, description: `The fixture ${name}`, inputSchema }
})

/** Keywords of JSON Schema 2020-12 that must reach the client as they are. */
function richSchema() {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object' as const,
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }
}

export async function callFixture(
  library: Library,
  rounds: Rounds,
  { name }: CallToolRequestParams,
  context: ServerContext,
): Promise<CallToolResult> {
  const simple = SIMPLE[name]
  if (simple) return await simple(context, library)
  const tool: RoundTool | undefined = ROUND_TOOLS[name]
  if (tool) return (await tool(rounds, context)) as CallToolResult
  throw new library.ProtocolError(library.ProtocolErrorCode.InvalidParams, `no tool ${name}`)
}
