// One entity, found by its key.
import { wholeText } from '../../base/byte-stream.ts'
import type { QueryPairs } from '../../base/text.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import type { ObjectService } from '../../objects/query-document.ts'
import type { ODataOption } from '../query/options.ts'
import { type Question, questionOf } from '../query/question.ts'
import { type MetadataLevel, metadataLevelOf } from './answer-format.ts'
import { contextOf } from './context.ts'
import { PageRows } from './page-rows.ts'
import { countRecords } from './read-page.ts'
import type { EntitySetRequest } from './request.ts'

export interface ReadEntity {
  readonly body: string
  /** The last change in what was read; undefined where changes are not recorded. */
  readonly changeNumber: number | undefined
  readonly level: MetadataLevel
}

const ALLOWED: ReadonlySet<string> = new Set<ODataOption>(['select', 'expand', 'format'])
const ALONE = { changeNumber: undefined, remaining: 1, pageSize: 1, count: undefined, offset: 0, row: undefined }

/** Undefined if there is none that the caller may see. Throws 400 for options of entity sets. */
export async function readEntity(service: ObjectService, request: EntitySetRequest): Promise<ReadEntity | undefined> {
  const question = questionOf(request.set, request.companyId, request.query)
  refuseOthers(question)
  const level = metadataLevelOf(question.options.format, request.accept)
  const page = new PageRows(service, request, question, ALONE)
  const rows = await wholeText((await page.read()).body)
  if (rows === '[]') return undefined
  // The rows are an array of one object.
  const own = rows.slice(1, -1)
  if (level === 'none') return { body: own, changeNumber: page.changeNumber, level }
  const context = JSON.stringify(`${contextOf(request, question)}/$entity`)
  return { body: `{"@odata.context":${context},${own.slice(1)}`, changeNumber: page.changeNumber, level }
}

const NO_OPTIONS: QueryPairs = []

/** Whether the caller may see an entity with the key of the request. */
export async function isThere(service: ObjectService, request: EntitySetRequest): Promise<boolean> {
  return (await countRecords(service, { ...request, query: NO_OPTIONS })) > 0
}

function refuseOthers({ options }: Question): void {
  const other = Object.keys(options).find((option) => !ALLOWED.has(option))
  if (other !== undefined) throw invalidOption(`$${other} is an option of an entity set, not of one entity.`)
}
