// The prompts that the conformance suite asks for.
import type { GetPromptRequestParams, ServerContext } from '@modelcontextprotocol/server'
import { PNG } from './fixture-resources.ts'
import type { Rounds } from './rounds.ts'

const argument = (name: string) => ({ name, description: `The argument ${name}`, required: true })
const user = (content: object) => ({ role: 'user' as const, content: content as { type: 'text'; text: string } })
const says = (text: string) => user({ type: 'text', text })

const READ: Record<string, { arguments?: string[]; read(args: Record<string, string>): object[] }> = {
  test_simple_prompt: { read: () => [says('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    read: ({ arg1, arg2 }) => [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    read: ({ resourceUri: uri }) => [
      user({
        type: 'resource',
        resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      }),
      says('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    read: () => [user({ type: 'image', data: PNG, mimeType: 'image/png' }), says('Please analyze the image above.')],
  },
  test_input_required_result_prompt: { read: () => [] },
}

export const PROMPTS = Object.entries(READ).map(([name, { arguments: names = [] }]) => {
  return { name, description: `The prompt ${name}`, arguments: names.map(argument) }
})

export function readPrompt(
  rounds: Rounds,
  { name, arguments: args = {} }: GetPromptRequestParams,
  context: ServerContext,
) {
  if (name === 'test_input_required_result_prompt') {
    const given = rounds.accepted(context, 'user_context')
    if (!given) return rounds.ask({ user_context: rounds.form('What context should the prompt use?', 'context') })
    return { messages: [says(`The context is ${given.context}`)] }
  }
  const prompt = READ[name]
  if (!prompt) throw new Error(`no prompt ${name}`)
  return { messages: prompt.read(args) as ReturnType<typeof says>[] }
}
