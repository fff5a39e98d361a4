// Tools of the conformance suite that ask their client before they answer.
import type { ServerContext } from '@modelcontextprotocol/server'
import { abilitiesOf, type Rounds } from './rounds.ts'

export type RoundTool = (rounds: Rounds, context: ServerContext) => unknown

const text = (content: string) => ({ content: [{ type: 'text', text: content }] })

const askName: RoundTool = (rounds, context) => {
  const given = rounds.accepted(context, 'user_name')
  return given ? text(`Hello, ${given.name}!`) : rounds.ask({ user_name: rounds.form('What is your name?', 'name') })
}

export const ROUND_TOOLS: Record<string, RoundTool> = {
  test_input_required_result_elicitation: askName,
  test_streaming_elicitation: askName,
  test_input_required_result_sampling: (rounds, context) =>
    rounds.answered(context, 'capital_question')
      ? text(JSON.stringify(context.mcpReq.inputResponses?.capital_question))
      : rounds.ask({ capital_question: rounds.sample('What is the capital of France?') }),
  test_input_required_result_list_roots: (rounds, context) =>
    rounds.answered(context, 'client_roots')
      ? text(JSON.stringify(context.mcpReq.inputResponses?.client_roots))
      : rounds.ask({ client_roots: rounds.roots() }),
  test_input_required_result_request_state: confirm,
  test_input_required_result_tampered_state: confirm,
  test_input_required_result_multiple_inputs: (rounds, context) => {
    const asked = {
      user_name: rounds.form('What is your name?', 'name'),
      greeting: rounds.sample('Generate a greeting', 50),
      client_roots: rounds.roots(),
    }
    if (!Object.keys(asked).every((key) => rounds.answered(context, key))) return rounds.askAgain(asked, 'several')
    return text('All of them were answered.')
  },
  test_input_required_result_multi_round: (rounds, context) => {
    const state = context.mcpReq.requestState<{ name?: string }>()
    const first = rounds.accepted(context, 'step1')
    const second = rounds.accepted(context, 'step2')
    if (second && state?.name !== undefined) return text(`${state.name} likes ${second.color}`)
    if (first) {
      const asked = { step2: rounds.form('Step 2: What is your favorite color?', 'color') }
      return rounds.askAgain(asked, { name: String(first.name) })
    }
    return rounds.askAgain({ step1: rounds.form('Step 1: What is your name?', 'name') }, {})
  },
  test_input_required_result_capabilities: (rounds, context) => {
    const able = abilitiesOf(context)
    const asked = {
      ...(able.elicitation ? { user_name: rounds.form('What is your name?', 'name') } : {}),
      ...(able.sampling ? { greeting: rounds.sample('Generate a greeting', 50) } : {}),
      ...(able.roots ? { client_roots: rounds.roots() } : {}),
    }
    const [first] = Object.keys(asked)
    return first === undefined || rounds.answered(context, first) ? text('done') : rounds.ask(asked)
  },
}

function confirm(rounds: Rounds, context: ServerContext): unknown {
  const state = context.mcpReq.requestState()
  if (rounds.accepted(context, 'confirm') && state === 'to be confirmed') return text('state-ok')
  return rounds.askAgain({ confirm: rounds.form('Please confirm', 'ok', 'boolean') }, 'to be confirmed')
}
