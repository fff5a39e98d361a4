// Questions of a server to its client, in several rounds of one request.
import type { InputRequest, RequestStateCodec, ServerContext } from '@modelcontextprotocol/server'

type Library = typeof import('@modelcontextprotocol/server')

/** What the client says that it can do, in each request of the revision without sessions. */
export function abilitiesOf({ mcpReq }: ServerContext): Record<string, object | undefined> {
  const envelope = mcpReq.envelope as Record<string, Record<string, object>> | undefined
  return envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {}
}

export type Rounds = ReturnType<typeof roundsOf>

export function roundsOf(library: Library, codec: RequestStateCodec) {
  const { inputRequired, inputResponse, acceptedContent } = library
  return {
    verify: codec.verify,
    ask: (inputRequests: Record<string, InputRequest>) => inputRequired({ inputRequests }),
    /** With a state that the client must send back as it is. */
    askAgain: async (inputRequests: Record<string, InputRequest>, state: unknown) =>
      inputRequired({ inputRequests, requestState: await codec.mint(state) }),
    form: (message: string, name: string, type = 'string') =>
      inputRequired.elicit({
        message,
        requestedSchema: { type: 'object', properties: { [name]: { type } as { type: 'string' } }, required: [name] },
      }),
    sample: (text: string, maxTokens = 100) =>
      inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens }),
    roots: () => inputRequired.listRoots(),
    accepted: ({ mcpReq }: ServerContext, key: string) => acceptedContent(mcpReq.inputResponses, key),
    answered: ({ mcpReq }: ServerContext, key: string) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing',
  }
}
