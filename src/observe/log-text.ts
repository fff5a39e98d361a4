// A line of the log as a person reads it on a terminal.
import { inspect } from 'node:util'

/** What a log line has besides its own fields. */
interface LogLine {
  readonly time: string
  readonly level: string
  readonly msg: string
  readonly [field: string]: unknown
}

const COLOURS: Readonly<Record<string, string>> = {
  debug: '\u001b[2m',
  info: '\u001b[32m',
  warn: '\u001b[33m',
  error: '\u001b[31m',
  fatal: '\u001b[31m',
}
const PLAIN = '\u001b[0m'
/** Puts the line where a progress bar may stand, which draws itself again below. */
const CLEAR_LINE = '\r\u001b[K'
/** Anything else is shown as a JSON text, so that no field can move the cursor. */
const HARMLESS = /^[\w.:/*@+-]+$/

/** `03:12:44 info  request GET /v1/attribute-values/:attributeId/* 200 client=erp ms=1.2`. */
export function textOfLine(json: string): string {
  const { time, level, msg, error, ...fields } = JSON.parse(json) as LogLine
  const { method, route, status, ...others } = msg === 'request' ? fields : { ...fields, method: undefined }
  const request = method === undefined ? [] : [String(method), String(route), String(status)]
  const rest = Object.entries(method === undefined ? fields : others).map(([name, value]) => `${name}=${shown(value)}`)
  const shownLevel = `${COLOURS[level] ?? ''}${level.padEnd(5)}${PLAIN}`
  const line = [time.slice(11, 19), shownLevel, msg, ...request, ...rest].join(' ')
  return `${CLEAR_LINE}${line}\n${error === undefined ? '' : `${stackOf(error)}\n`}`
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return HARMLESS.test(text) ? text : JSON.stringify(text)
}

function stackOf(error: unknown): string {
  const { stack, message } = error as { stack?: string; message?: string }
  return (stack ?? message ?? inspect(error)).replace(/[^\P{Cc}\n]/gu, '?')
}
