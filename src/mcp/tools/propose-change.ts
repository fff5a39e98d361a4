// `propose_change`: everything of a write but the writing. What a person has seen is what can be applied.
import { isDeepStrictEqual } from 'node:util'
import { LongNumber, parseExact } from '../../base/long-number.ts'
import { isObject, type JsonObject, type JsonValue } from '../../base/strict-json.ts'
import { changedMembers, type MemberChange } from '../../changes/past/member-changes.ts'
import { askFor, jsonOf, messagesIn, urlOf } from './ask-json.ts'
import { documentNamed } from './named-document.ts'
import { LIFETIME_MS, type ProposedRequest } from './proposal-store.ts'
import { recordPath, resourcePath } from './record-path.ts'
import { gives, KEY, NAME, RECORDS, takes } from './schemas.ts'
import { shownText, shownValue, withinBytes } from './shown-values.ts'
import { type McpTool, type ToolContext, ToolError } from './tool.ts'

const HANDLE_BYTES = 18
const MAX_BODY_BYTES = 64 * 1024
const METHODS = { create: 'POST', update: 'PATCH', delete: 'DELETE' } as const
/** An operation that was refused for what its body holds. */
const REFUSED: ReadonlySet<number> = new Set([400, 409, 422])

export const proposeChange: McpTool = {
  name: 'propose_change',
  title: 'Propose a change',
  description:
    'Checks a change and writes nothing. create: record. update: operations of JSON Patch. delete: key. Answers what would change, all mistakes, and a handle for apply_change, valid ten minutes. Show the changes to a person first.',
  inputSchema: takes(
    {
      operation: { enum: ['create', 'update', 'delete'] },
      document: NAME,
      key: KEY,
      record: { type: 'object' },
      operations: { type: 'array', maxItems: 100, items: { type: 'object' } },
    },
    'operation',
    'document',
  ),
  outputSchema: gives(
    {
      changes: RECORDS,
      mistakes: { type: 'array', items: { type: 'string' } },
      handle: { type: 'string' },
      expiresAt: { type: 'string' },
      cut: { type: 'string' },
    },
    'changes',
    'mistakes',
  ),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  scope: 'mcp:write',
  async call(context, args, companyId) {
    const { definition } = documentNamed(context, companyId, String(args.document))
    const method = METHODS[args.operation as keyof typeof METHODS]
    const body = bodyOf(method, args)
    const path = method === 'POST' ? resourcePath(definition) : recordPath(definition, keyOf(args))
    const url = urlOf(path, { companyId })
    const now = method === 'POST' ? undefined : await askFor(context, { method: 'GET', url })
    const request: ProposedRequest = { method, url, body, etag: now?.headers.etag }
    return previewed(context, companyId, request, bodyText(now?.body))
  },
}

async function previewed(context: ToolContext, companyId: string, request: ProposedRequest, before: string) {
  const { method, url, body, etag } = request
  const headers: Record<string, string> = etag === undefined ? {} : { 'if-match': etag }
  const preview = await context.ask({ method, url, headers, body, validateOnly: true })
  if (REFUSED.has(preview.status)) {
    const mistakes = messagesIn(jsonOf(preview)).map(shownText)
    return { content: { changes: [], mistakes: mistakes.slice(0, 50) }, rows: 0 }
  }
  if (preview.status >= 400) await askFor({ ...context, ask: async () => preview }, { method, url })
  const handle = context.random(HANDLE_BYTES)
  if (!(await context.proposals.keep(companyId, handle, context.caller, request)))
    throw new ToolError('Too many proposals are open: apply them, or wait ten minutes.', true)
  const found = differenceOf(before, method === 'DELETE' ? '' : bodyText(preview.body))
  const changes = withinBytes(found)
  const cut: JsonObject = changes.length < found.length ? { cut: `${found.length - changes.length} more changes.` } : {}
  const expiresAt = new Date(context.clock().getTime() + LIFETIME_MS).toISOString()
  return { content: { changes, mistakes: [], handle, expiresAt, ...cut }, rows: 1 }
}

function bodyText(body: string | Uint8Array | undefined): string {
  return body === undefined ? '' : Buffer.from(body).toString()
}

function keyOf({ key }: JsonObject): JsonObject {
  if (key === undefined) throw new ToolError('key is missing: update and delete need it.')
  return key as JsonObject
}

function bodyOf(method: ProposedRequest['method'], { record, operations }: JsonObject): JsonValue | undefined {
  if (method === 'DELETE') return undefined
  const body = method === 'POST' ? record : operations
  if (body === undefined) throw new ToolError(`${method === 'POST' ? 'record' : 'operations'} is missing.`)
  if (Buffer.byteLength(JSON.stringify(body)) > MAX_BODY_BYTES) throw new ToolError('The change is larger than 64 kB.')
  if (hasLongNumber(body))
    throw new ToolError('A number has more digits than can be kept: send it as JSON Patch by /v1.')
  return body
}

/** A proposal is kept as text, of which a long number would come back rounded. */
function hasLongNumber(value: JsonValue | undefined): boolean {
  if (value instanceof LongNumber) return true
  return typeof value === 'object' && value !== null && Object.values(value).some((one) => hasLongNumber(one))
}

/** Changes with every write. */
const STAMP = '/lastUpdated'

/**
 * What a proposed change makes of a record, for the person who decides: the members that differ; of a new record all it
 * has, of one that goes all it had.
 */
function differenceOf(before: string, after: string): JsonObject[] {
  const isChange = before !== '' && after !== ''
  const told = isChange ? changedMembers(before, after).flatMap(itemChanges) : wholeOf(before, after)
  const meant = told.filter(({ path }) => path !== STAMP && !path.startsWith(`${STAMP}/`))
  return meant.map((change) => shownValue(change as unknown as JsonValue) as JsonObject)
}

function wholeOf(before: string, after: string): MemberChange[] {
  const side = before === '' ? 'after' : 'before'
  const record = parseExact(before || after || '{}') as JsonObject
  return Object.entries(record).map(([name, value]) => ({ path: `/${name}`, [side]: value }))
}

/**
 * The items of a list that differ, each at its place: of an order with many lines a person sees the one that changes.
 */
function itemChanges(change: MemberChange): readonly MemberChange[] {
  const { path, before, after } = change
  if (!Array.isArray(before) || !Array.isArray(after)) return [change]
  const { start, oldEnd, newEnd } = differingPart(before, after)
  const places = Array.from({ length: Math.max(oldEnd, newEnd) - start }, (_none, at) => start + at)
  return places.flatMap((at) =>
    itemChange(`${path}/${at}`, at < oldEnd ? before[at] : undefined, at < newEnd ? after[at] : undefined),
  )
}

/** Without the items that both lists have at their start and at their end. */
function differingPart(before: readonly JsonValue[], after: readonly JsonValue[]) {
  const isSame = (at: number, other: number) => isDeepStrictEqual(before[at], after[other])
  let [start, oldEnd, newEnd] = [0, before.length, after.length]
  while (start < Math.min(oldEnd, newEnd) && isSame(start, start)) start += 1
  while (oldEnd > start && newEnd > start && isSame(oldEnd - 1, newEnd - 1)) {
    oldEnd -= 1
    newEnd -= 1
  }
  return { start, oldEnd, newEnd }
}

function itemChange(path: string, old: JsonValue | undefined, now: JsonValue | undefined): readonly MemberChange[] {
  if (isDeepStrictEqual(old, now)) return []
  if (isObject(old) && isObject(now)) {
    const members = changedMembers(JSON.stringify(old), JSON.stringify(now))
    return members.map((member) => ({ ...member, path: path + member.path }))
  }
  return [{ path, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) }]
}
