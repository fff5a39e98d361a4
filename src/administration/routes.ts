// `POST /v1/administration/commands`: commands for a service elsewhere, from an administrator's client. They are passed
// on to the process that takes those of its own machine. Not a part of the records interface, so not described there.
import type { Caller } from '../access/caller.ts'
import type { Directory } from '../access/directory.ts'
import { coded, notAuthorised, unavailable } from '../errors/catalogue.ts'
import { asError } from '../errors/thrown.ts'
import { callerOf, type RequestWithCaller } from '../http/pipeline/authenticate.ts'
import { send } from '../http/route/send.ts'
import type { Server } from '../http/server.ts'
import { CALLER_HEADER } from './administration-server.ts'
import { responseTo, serviceAt, textOf } from './client.ts'

/** How much is read while it is written to disk. */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER

export interface AdministrationRoute {
  readonly basePath: string
  readonly data: string
  readonly directory: Directory
}

export function administrationRoutes(app: Server, { basePath, data, directory }: AdministrationRoute): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('multipart/form-data', (_request, _body, parsed) => parsed(null))
    scope.post(
      `${basePath}/v1/administration/commands`,
      {
        config: { permit: 'administration:update' } as never,
        bodyLimit: MAX_BODY_BYTES,
        preParsing: (request, _reply, payload, next) => {
          try {
            requireAdministrator(directory, callerIn(request))
            next(null, payload)
          } catch (error) {
            next(asError(error))
          }
        },
      },
      async (request, reply) => {
        const { clientId } = callerIn(request)
        const headers = { 'content-type': request.headers['content-type'] ?? '', [CALLER_HEADER]: clientId }
        const passed = serviceAt(data).request('POST', headers)
        reply.raw.once('close', () => passed.destroy())
        const response = await responseTo(passed, () => request.raw.pipe(passed)).catch((cause: Error) => {
          throw unavailable(`The service takes no commands: ${cause.message}`)
        })
        const { statusCode: status = 500 } = response
        if (status !== 200) throw refusalOf(status, await textOf(response))
        const type = { 'content-type': 'application/octet-stream' }
        return send(request, reply, { status, body: chunksOf(response), headers: type, isIncompressible: true })
      },
    )
    done()
  })
}

function refusalOf(status: number, message: string): Error {
  if (status === 503) return unavailable(message)
  return status < 500 ? coded(status, 1010, message) : new Error(message)
}

/** The setup names administrators among the service's own clients; nobody else's tokens are theirs. */
function requireAdministrator(directory: Directory, caller: Caller): void {
  const isOwnClient = directory.callerOfClient(caller.clientId) === caller
  if (!isOwnClient || !directory.findClient(caller.clientId)?.administrator) {
    throw notAuthorised('the client is no administrator of the service')
  }
}

const callerIn = (request: object): Caller => callerOf(request as RequestWithCaller)

async function* chunksOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, void, void> {
  yield* stream
}
