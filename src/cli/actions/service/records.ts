// One record of a running service: read, and changed by JSON Patch (RFC 6902).

import { buffer } from 'node:stream/consumers'
import { createClient, type PatchOperation } from '#client'
import { parseAsWritten } from '../../../base/long-number.ts'
import { readText, utf8Text } from '../../../base/process/files.ts'
import type { ServiceCredentials } from '../../settings/logins.ts'
import { badUsage, requireFile } from '../../terminal/bad-usage.ts'
import { shown, shownJson } from '../../terminal/terminal-text.ts'
import { asking } from './asking.ts'
import type { Outputs } from './query.ts'

export interface PatchFlags extends RecordFlags {
  readonly set?: readonly string[]
  readonly ifMatch?: string
  readonly dryRun?: boolean
}

export interface RecordFlags {
  readonly company?: string
}

interface Address {
  readonly resource: string
  readonly key: readonly string[]
}

interface Patch extends PatchFlags {
  /** A file of JSON Patch; `-` for the input. Absent where `set` tells the changes. */
  readonly file: string | undefined
  readonly input: NodeJS.ReadableStream
}

export async function printRecord(
  credentials: ServiceCredentials,
  address: Address,
  { company }: RecordFlags,
  outputs: Outputs,
): Promise<void> {
  const client = createClient(credentials, { company })
  await asking(credentials, async () => print(await client.request({ path: pathOf(address) }), outputs))
}

export async function patchRecord(
  credentials: ServiceCredentials,
  address: Address,
  { company, set, file, input, ifMatch, dryRun }: Patch,
  outputs: Outputs,
): Promise<void> {
  const body = set ? set.map(operationOf) : operationsIn(await patchText(file, input))
  const client = createClient(credentials, { company })
  const options = { validateOnly: dryRun, ifMatch: ifMatch === undefined ? undefined : quoted(ifMatch) }
  const request = { ...options, method: 'PATCH', path: pathOf(address), body } as const
  await asking(credentials, async () => print(await client.request(request), outputs))
}

function pathOf({ resource, key }: Address): string {
  if (!/^[\w-]+$/.test(resource)) throw badUsage(`argument 'resource': ${resource} is no name of a resource`)
  return ['/v1', resource, ...key.map((part) => encodeURIComponent(part))].join('/')
}

/** As it was sent; on a terminal on lines of its own. */
async function print(answer: Response, { output, error }: Outputs): Promise<void> {
  const body = await answer.text()
  const tag = answer.headers.get('etag')
  if (tag !== null) error.write(`entity tag: ${shown(tag)}\n`)
  if (body === '') return
  output.write(output.isTTY ? `${shownJson(JSON.stringify(parseAsWritten(body), null, 2))}\n` : `${body}\n`)
}

/** `/path=text`, or `/path:=json`. The end of a list is `-` (RFC 6901), where something is added. */
function operationOf(given: string): PatchOperation {
  const [, path, isJson, value = ''] = /^(\/.*?)(:?)=(.*)$/s.exec(given) ?? []
  if (path === undefined) throw badUsage(`option '--set': ${given} is not like /customerName=Berg`)
  const op = path.endsWith('/-') ? 'add' : 'replace'
  return { op, path, value: isJson ? jsonIn(value, "option '--set'") : value }
}

function operationsIn(patch: string): unknown {
  const operations = jsonIn(patch, "argument 'key'")
  if (!Array.isArray(operations)) throw badUsage("argument 'key': a file of JSON Patch is an array of operations")
  return operations
}

function jsonIn(json: string, where: string): unknown {
  try {
    return parseAsWritten(json)
  } catch {
    throw badUsage(`${where}: that is no JSON`)
  }
}

async function patchText(file = '-', input: NodeJS.ReadableStream): Promise<string> {
  if (file === '-') return utf8Text(await buffer(input), 'the standard input')
  requireFile("argument 'key'", file)
  return readText(file)
}

/** Shells take the quotes of an entity tag away. */
function quoted(tag: string): string {
  return /^(?:\*|(?:W\/)?".*")$/.test(tag) ? tag : `"${tag}"`
}
