// What a service needs for answers in Parquet: the processes that write the files, and the folder that keeps some.
import { PROGRAM_VERSION } from '../base/process/program-version.ts'
import type { QueryPairs } from '../base/text.ts'
import type { Plan } from '../query/plan.ts'
import type { CollectionAnswer, CollectionRequest } from '../store/collection.ts'
import type { ByteStream } from '../store/store.ts'
import { parquetColumns } from './parquet-columns.ts'
import type { ParquetEncoder } from './parquet-encoder.ts'
import type { SpooledAnswers } from './spooled-answers.ts'

export interface ParquetFiles {
  readonly encoder: ParquetEncoder
  readonly spooled: SpooledAnswers
}

/** An answer whose body is a Parquet file. */
export interface ParquetAnswer extends Omit<CollectionAnswer, 'body' | 'changeNumber'> {
  readonly body: ByteStream
  /** Undefined where changes are not recorded. */
  readonly changeNumber?: number | undefined
}

/** What is read for a file. */
type TuplesAnswer = Omit<CollectionAnswer, 'changeNumber'> & Pick<ParquetAnswer, 'changeNumber'>

interface Subject {
  readonly plan: Plan
  readonly companyId: string
  readonly query: QueryPairs
}

/** Reads an answer in the format `tuples` when it is its turn, and writes its rows as a file. */
export function parquetAnswer(
  encoder: ParquetEncoder,
  caller: CollectionRequest['caller'],
  subject: Subject,
  read: () => Promise<TuplesAnswer>,
): Promise<ParquetAnswer> {
  const columns = parquetColumns(subject.plan)
  return encoder.encode(caller, read, (answer) => ({
    columns,
    about: metadataOf(subject, answer),
    createdBy: `tabularium version ${PROGRAM_VERSION}`,
  }))
}

/** The key-value metadata of a file: what it is of. */
function metadataOf(
  { plan, companyId, query }: Subject,
  { isCut, changeNumber }: TuplesAnswer,
): Record<string, string> {
  const requested = query.filter(([name]) => !/^\$?companyid$/i.test(name)).map(([name, value]) => `${name}=${value}`)
  return {
    'tabularium.company': companyId,
    'tabularium.document': plan.definition.name,
    'tabularium.query': requested.join('&'),
    ...(changeNumber === undefined ? {} : { 'tabularium.changeNumber': String(changeNumber) }),
    ...(isCut ? { 'tabularium.truncated': 'true' } : {}),
  }
}
