// Requests that reach a server without a network.
import inject, { type InjectOptions, type Response } from 'light-my-request'
import type { Server } from '../../src/http/server.ts'

export function injectInto({ server }: Pick<Server, 'server'>, asked: InjectOptions): Promise<Response> {
  return inject((request, response) => void server.emit('request', request, response), asked)
}
