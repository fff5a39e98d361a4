// An external table with nulls in every nullable column and with the types of each engine, and the plain records that
// its rows stand for.
import type { DocumentSetup } from '../../src/setup/file/setup-schema.ts'
import { Dice, TEXTS } from './edge-case-rows.ts'
import type { Row } from './query-evaluator.ts'
import type { StoreKind } from './world.ts'

/** Days and times as SQL writes them, the latter with or without a zone; the other values as they are answered. */
export interface JobRow {
  readonly company_id: string
  readonly id: number
  readonly title: string | null
  readonly code: string | null
  readonly status: string | null
  readonly hours: number | null
  readonly rate: number | null
  readonly share: number | null
  readonly pieces: number | null
  readonly is_done: boolean | null
  /** Anything but 0 is true. */
  readonly is_late: number | null
  readonly starts_on: string | null
  readonly ends_at: string | null
  readonly logged_at: string | null
  /** Null where the column is not nullable and its value is no valid day. */
  readonly closes_on: string | null
  readonly tag: string | null
}

export const JOBS: DocumentSetup = {
  name: 'jobs',
  table: 'foreign_job',
  key: ['companyId', 'id'],
  properties: {
    companyId: { type: 'string', column: 'company_id' },
    id: { type: 'integer' },
    title: { type: 'string' },
    code: { type: 'string', attributeId: 'C1' },
    status: { type: 'string', valueList: 'STATUS' },
    size: { type: 'string', column: 'pieces', valueList: 'STAGE' },
    pieces: { type: 'integer', valueList: 'STAGE' },
    work: { group: { hours: { type: 'number' }, rate: { type: 'number' }, share: { type: 'number' } } },
    isDone: { type: 'boolean' },
    isLate: { type: 'boolean' },
    times: {
      group: {
        startsOn: { type: 'date-time' },
        endsAt: { type: 'date-time' },
        loggedAt: { type: 'date-time' },
        closesOn: { type: 'date-time' },
      },
    },
    tag: { type: 'string' },
  },
}

const COLUMNS: Readonly<Record<keyof JobRow, readonly [sqlite: string, postgres: string]>> = {
  company_id: ['char(5) not null', 'char(5) not null'],
  id: ['integer not null', 'integer not null'],
  title: ['varchar(50)', 'varchar(50) collate "en-US-x-icu"'],
  code: ['char(8)', 'char(8) collate "en-US-x-icu"'],
  status: ['text', 'text'],
  hours: ['numeric(18, 6)', 'numeric(18, 6)'],
  rate: ['double precision', 'double precision'],
  share: ['real', 'real'],
  pieces: ['smallint', 'smallint'],
  is_done: ['boolean', 'boolean'],
  is_late: ['integer', 'integer'],
  starts_on: ['date', 'date'],
  ends_at: ['timestamp', 'timestamp'],
  logged_at: ['timestamp', 'timestamptz'],
  closes_on: ['date not null', 'date not null'],
  tag: ['text', 'uuid'],
}

/** The statements that create the table and insert its rows. */
export function jobStatements(kind: StoreKind, rows: readonly JobRow[]): string[] {
  const names = Object.keys(COLUMNS) as (keyof JobRow)[]
  const columns = names.map((name) => `${name} ${COLUMNS[name][kind === 'sqlite' ? 0 : 1]}`)
  const lines = rows.map((row) => `(${names.map((name) => cellOf(row, name, kind)).join(', ')})`)
  return [
    `create table foreign_job (${columns.join(', ')}, primary key (company_id, id))`,
    ...(kind === 'sqlite' ? [] : ['grant select on foreign_job to public']),
    `insert into foreign_job (${names.join(', ')}) values ${lines.join(', ')}`,
  ]
}

function cellOf(row: JobRow, name: keyof JobRow, kind: StoreKind): string {
  if (name === 'closes_on' && row.closes_on === null) return kind === 'sqlite' ? `''` : `'infinity'`
  return literal(row[name], kind)
}

function literal(value: string | number | boolean | null, kind: StoreKind): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return typeof value === 'boolean' && kind === 'sqlite' ? String(Number(value)) : String(value)
}

/** Texts that fit the column, without trailing blanks, which it does not store. */
const SHORT_TEXTS = TEXTS.filter((text) => [...text].length <= 8 && !text.endsWith(' '))
const DAYS = ['1900-01-01', '2099-12-31', '2026-01-31', '2024-02-29', '9999-12-31', '0001-01-01']
const TIMES = [
  ...['1900-01-01 00:00:00', '2099-12-31 00:00:00', '9999-12-31 23:59:59.999', '0001-01-01 00:00:00'],
  ...['2026-01-31 23:59:59.999', '2024-02-29 12:30:00.25', '2026-01-31 00:00:00', '2026-02-01 12:30:00.2567'],
  '2026-12-31 23:59:59.999999',
]
const TAGS = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

/** Included in every run: values that the engines once read differently. */
const AWKWARD = { share: 0.1, is_late: -1, ends_at: '2026-02-01 12:30:00.2567', closes_on: null }

export function jobRows(seed: number): JobRow[] {
  const dice = new Dice(seed)
  const orNull = <Value>(values: readonly Value[]) => (dice.below(4) === 0 ? null : dice.pick(values))
  const moments = TIMES.flatMap((time) => (/^(20[0-8]|19[1-9])/.test(time) ? [`${time}+02:00`, `${time}-05:30`] : []))
  return ['EN', 'SV'].flatMap((company_id) =>
    dice.times(
      50,
      (id): JobRow => ({
        company_id,
        id: id - 10,
        title: orNull(TEXTS),
        code: orNull([...SHORT_TEXTS, 'N', 'P', '']),
        status: orNull(['N', 'P', '', ' ', '1', '\u00df']),
        hours: orNull([0, 1, -1, 12.5, -0.001, 0.1, 123_456_789_012, 99_999_999.999999]),
        rate: orNull([0, 1, -1, 0.1, 1e-7, 123_456_789_012_345, -999_999_999_999_999]),
        share: orNull([0, 1, -1, 2.5, -0.25, 0.1, 2.1, 123.4, -1e-7]),
        pieces: orNull([0, 1, 2, -1, 32_767]),
        is_done: orNull([true, false]),
        is_late: orNull([0, 1, -1, 2]),
        starts_on: orNull(DAYS),
        ends_at: orNull(TIMES),
        logged_at: orNull([...TIMES.map((time) => `${time}Z`), ...moments]),
        closes_on: orNull(DAYS),
        tag: orNull(TAGS),
        ...(id === 0 ? AWKWARD : {}),
      }),
    ),
  )
}

interface Descriptions {
  title(list: string, code: string): string
  valueTitle(attributeId: string, value: string): string
}

/** Null reads as absent. */
export function jobRecord(row: JobRow, { title, valueTitle }: Descriptions): Row {
  const [code, status, pieces] = [row.code ?? '', row.status ?? '', row.pieces ?? 0]
  const size = row.pieces === null ? '' : String(row.pieces)
  return {
    companyId: row.company_id,
    id: row.id,
    title: row.title ?? '',
    code,
    'code(description)': valueTitle('C1', code),
    status,
    'status(description)': title('STATUS', status),
    size,
    'size(description)': title('STAGE', size),
    pieces,
    'pieces(description)': title('STAGE', String(pieces)),
    work: { hours: row.hours ?? 0, rate: row.rate ?? 0, share: row.share ?? 0 },
    isDone: row.is_done ?? false,
    isLate: (row.is_late ?? 0) !== 0,
    times: {
      startsOn: instant(row.starts_on),
      endsAt: instant(row.ends_at),
      loggedAt: instant(row.logged_at),
      closesOn: instant(row.closes_on),
    },
    tag: row.tag ?? '',
  }
}

function instant(text: string | null): string {
  if (text === null) return '1900-01-01T00:00:00.000Z'
  const [day = '', time = '00:00:00'] = text.split(' ')
  return new Date(`${day}T${time}${/(Z|[+-]\d\d:\d\d)$/.test(time) ? '' : 'Z'}`).toISOString()
}
