// Receives a command: a form (multipart/form-data, RFC 7578) with the arguments and the input files, which are written
// to the folder that the command runs in while they are received.
import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { freeBytes } from '../base/process/free-bytes.ts'
import type { CommandRequest } from './frames.ts'
import { isPlainName } from './plain-name.ts'
import { Refusal } from './refusal.ts'

/** One variable of a process holds all of it, which Linux limits to 128 KiB. */
const MAX_COMMAND_BYTES = 96 * 1024
const MAX_FILES = 20
const MAX_INPUT_BYTES = 16 * 1024 ** 3
/** The records need room too: below half of this no write is accepted. */
const MIN_FREE_BYTES = 1024 ** 3
const FREE_CHECK_BYTES = 16 * 1024 * 1024

/** Writes the files of the request to `folder`. Throws a `Refusal` for a request that is none, and at a stop. */
export async function receiveCommand(
  request: IncomingMessage,
  folder: string,
  stopped: AbortSignal,
): Promise<CommandRequest> {
  const parser = parserFor(request)
  const writing: Promise<void>[] = []
  const names = new Set<string>()
  const room = roomIn(folder)
  let command = ''
  const received = new Promise<void>((resolve, reject) => {
    parser.on('field', (name, value) => {
      if (name === 'command') command = value
    })
    parser.on('file', (_name, stream, name: string | undefined) => {
      // Its error is also that of the parser.
      stream.on('error', () => {})
      if (!isPlainName(name) || names.has(name)) {
        stream.resume()
        reject(new Refusal(400, `no file can be named ${JSON.stringify(name ?? '')}`))
        return
      }
      names.add(name)
      const written = write(stream, join(folder, name), room)
      written.catch(reject)
      writing.push(written)
    })
    for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
      parser.on(event, () => reject(new Refusal(413, `a command has at most ${MAX_FILES} files`)))
    }
    parser.on('error', (error: unknown) => reject(new Refusal(400, `the command cannot be read: ${error}`)))
    parser.once('finish', resolve)
    request.once('close', () => {
      // What has arrived whole may still be written.
      if (!request.complete) reject(new Refusal(400, 'the command has not arrived'))
    })
    stopped.addEventListener('abort', () => reject(new Refusal(503, String(stopped.reason))), { once: true })
  })
  request.pipe(parser)
  await received
  await Promise.all(writing)
  return parseCommand(command)
}

function parserFor(request: IncomingMessage): BusboyInstance {
  const limits = { fieldSize: MAX_COMMAND_BYTES + 1, fields: 1, files: MAX_FILES, headerPairs: 20, fieldNameSize: 100 }
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, limits })
  } catch (error) {
    throw new Refusal(400, `the command cannot be read: ${error}`)
  }
}

/** Throws when the files together are too large, or the disk is nearly full. */
function roomIn(folder: string): (bytes: number) => void {
  let received = 0
  let checked = -FREE_CHECK_BYTES
  return (bytes) => {
    received += bytes
    if (received > MAX_INPUT_BYTES) throw new Refusal(413, 'the files of a command are larger than 16 GiB together')
    if (received - checked < FREE_CHECK_BYTES) return
    checked = received
    if (freeBytes(folder) < MIN_FREE_BYTES) throw new Refusal(503, 'the disk of the service has no room for the file')
  }
}

function write(stream: Readable, file: string, requireRoom: (bytes: number) => void): Promise<void> {
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        requireRoom(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
  return pipeline(stream, counted, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
}

function parseCommand(text: string): CommandRequest {
  if (Buffer.byteLength(text) > MAX_COMMAND_BYTES) throw new Refusal(413, 'the arguments of the command are too long')
  try {
    const { args, environment = {}, showsProgress = false } = JSON.parse(text) as Partial<CommandRequest>
    const isValid = Array.isArray(args) && [...args, ...Object.values(environment)].every(isArgument)
    if (isValid) return { args, environment, showsProgress: showsProgress === true }
  } catch {
    // Refused like any other text that is no command.
  }
  throw new Refusal(400, 'the field command of the form is no command')
}

function isArgument(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0')
}
