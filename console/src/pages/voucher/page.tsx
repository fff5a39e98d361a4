// A voucher: the records that share its number as one page, with totals that tell whether it balances.
import { Alert, Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { filter } from '#client'
import { Empty } from '../../parts/empty.tsx'
import { FieldTitle } from '../../parts/field-title.tsx'
import { amountText, FieldValue } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MirrorNote } from '../../parts/mirror-note.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { fetchService } from '../../service/client.ts'
import { useNamedDocument } from '../../service/dimensions.ts'
import { parseExact } from '../../service/exact-json.ts'
import { isNegative, isZero, negated } from '../../service/exact-sums.ts'
import { type DocumentInfo, type FieldInfo, fieldTitle, stateParameters } from '../../service/metadata.ts'
import { addressOf, associatedKey, memberAt, selectOf, valueIn } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { useCompany } from '../../service/session.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { axisLabel, isPeriod } from '../balances/axes.ts'
import { DocumentsUnder } from '../record/filed-documents.tsx'
import { LinesTable } from './lines-table.tsx'
import classes from './voucher.module.css'
import { type Line, shapeOf, totalsOf } from './voucher-lines.ts'

/** A voucher with more is read in the list. */
const MOST_LINES = 1_000

export function VoucherPage() {
  const { document = '', number = '' } = useParams({ strict: false }) as { document?: string; number?: string }
  return (
    <Suspense fallback={<Loading />}>
      <Voucher key={`${document} ${number}`} name={document} number={number} />
    </Suspense>
  )
}

function Voucher({ name, number }: { readonly name: string; readonly number: string }) {
  const { id: company } = useCompany()
  const document = useNamedDocument(name)
  const titleOf = useTitles()
  const path = document.record['x-erp-voucher']?.number
  const field = document.fields.find((one) => one.path === path)
  const {
    data: lines,
    error,
    isPending,
    refetch,
  } = useQuery({
    queryKey: [company, 'voucher', name, number],
    enabled: field !== undefined,
    queryFn: ({ signal }) => fetchLines(company, document, field as FieldInfo, number, signal),
  })
  const title = field ? `${field.titles.at(-1)} ${number}` : number
  return (
    <PageFrame
      title={title}
      description={
        <>
          <Anchor component={Link} to="/$company/grid/$document" params={{ company, document: name } as never}>
            {titleOf(name)}
          </Anchor>
          <MirrorNote document={name} />
        </>
      }
      actions={field && <Neighbours company={company} document={document} field={field} number={number} />}
    >
      {!field && (
        <Empty title={t('There are no vouchers here')}>
          {t('The definition of these records does not say by what they belong together, or you may not see it.')}
        </Empty>
      )}
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {field && isPending && <Loading lines={12} />}
      {lines?.length === 0 && (
        <Empty title={t('There is no such voucher')}>
          {t('It may have another number, or you may not see its lines.')}
        </Empty>
      )}
      {lines && lines.length > 0 && (
        <Sheet
          company={company}
          document={document}
          number={number}
          lines={lines.slice(0, MOST_LINES)}
          isCut={lines.length > MOST_LINES}
        />
      )}
    </PageFrame>
  )
}

/** The number as filters write it; undefined for what is no number of a voucher. */
function literalOf({ kind }: FieldInfo, number: string): string | undefined {
  if (kind === 'text') return String(filter`${number}`)
  return /^-?\d{1,18}$/.test(number) ? number : undefined
}

async function fetchLines(
  company: string,
  document: DocumentInfo,
  field: FieldInfo,
  number: string,
  signal: AbortSignal,
): Promise<Line[]> {
  const literal = literalOf(field, number)
  if (literal === undefined) return []
  const shown = document.record['x-erp-defaultColumns'] ?? []
  const fields = document.fields.filter(({ association, path }) => !association || shown.includes(path))
  const address = addressOf(company, {
    document: document.name,
    select: selectOf(document, fields),
    filter: `${field.path} eq ${literal}`,
    limit: MOST_LINES + 1,
  })
  const answer = await fetchService(address + stateParameters(document.name), { signal })
  return parseExact<Line[]>(await answer.text())
}

interface SheetProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly number: string
  readonly lines: readonly Line[]
  readonly isCut: boolean
}

function Sheet({ company, document, number, lines, isCut }: SheetProps) {
  const shape = shapeOf(document, lines)
  const [first] = lines
  return (
    <>
      <dl className={classes.head}>
        {shape.head.map((field) => (
          <div key={field.path}>
            <dt>
              <FieldTitle title={headTitle(field)} path={field.path} description={field.schema.description} />
            </dt>
            <dd>
              <HeadValue company={company} line={first as Line} field={field} />
            </dd>
          </div>
        ))}
      </dl>
      {isCut ? (
        <Alert color="orange" variant="light" title={t('Only the first lines are shown')}>
          {t('The voucher has more than {{most}} lines, so its totals are not told here. The list has all of them.', {
            most: MOST_LINES,
          })}
        </Alert>
      ) : (
        shape.balance && <BalanceNote lines={lines} balance={shape.balance} />
      )}
      <LinesTable company={company} document={document} shape={shape} lines={lines} hasTotals={!isCut} />
      <div className={classes.below}>
        <Authors lines={lines} />
        <DocumentsUnder company={company} value={number} isIndex={({ attributeId }) => attributeId === ''} />
      </div>
    </>
  )
}

/** The title of a member of an associated record tells whose it is. */
const headTitle = (field: FieldInfo): string => (field.association ? (field.titles.at(-2) ?? '') : fieldTitle(field))

/** A period as 2026-11, and the key of an associated record beside its name. */
function HeadValue({
  company,
  line,
  field,
}: {
  readonly company: string
  readonly line: Line
  readonly field: FieldInfo
}) {
  const { value, description } = valueIn(line, field)
  const { association } = field
  if (isPeriod(field)) return axisLabel(field, { code: String(value) })
  const key = association && associatedKey(line, association)
  if (!key)
    return <FieldValue {...{ value, description }} kind={field.kind} titles={field.schema['x-erp-codeTitles']} />
  const params = { company, document: association.document, key: recordKeyText(key) }
  return (
    <>
      <bdi>{key.join(' / ')}</bdi>{' '}
      <Link to="/$company/record/$document/$key" params={params}>
        <FieldValue value={value} description={description} kind={field.kind} />
      </Link>
    </>
  )
}

function BalanceNote({ lines, balance }: { readonly lines: readonly Line[]; readonly balance: FieldInfo }) {
  const { debit, difference } = totalsOf(lines, balance)
  if (isZero(difference)) {
    return (
      <Text size="sm" role="status" className={classes.balanced}>
        <span aria-hidden>✓</span> {t('Debit and credit are equal: {{amount}}.', { amount: amountText(debit) })}
      </Text>
    )
  }
  const [text, amount] = isNegative(difference)
    ? ([
        t('Credit is greater than debit by {{amount}}.', { amount: amountText(negated(difference)) }),
        difference,
      ] as const)
    : ([t('Debit is greater than credit by {{amount}}.', { amount: amountText(difference) }), difference] as const)
  return (
    <Alert key={amount} color="red" variant="light" role="alert" title={t('This voucher does not balance')}>
      {text} {t('You may not see all of its lines, or one is missing.')}
    </Alert>
  )
}

/** Who wrote the lines last, and when: together, or one after the other. */
function Authors({ lines }: { readonly lines: readonly Line[] }) {
  const writes = lines.map((line) => ({
    at: String(memberAt(line, ['lastUpdated', 'updatedAt']) ?? ''),
    by: String(memberAt(line, ['lastUpdated', 'updatedBy']) ?? ''),
  }))
  const different = [...Map.groupBy(writes, ({ at, by }) => `${at} ${by}`).values()]
    .flatMap((same) => (same[0] && same[0].at !== '' ? [{ ...same[0], count: same.length }] : []))
    .toSorted((one, other) => (one.at < other.at ? 1 : -1))
  if (different.length === 0) return null
  const title = t('Last written by')
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className={classes.authors}>
        {different.map(({ at, by, count }) => (
          <li key={at + by}>
            <bdi>{by}</bdi>{' '}
            <Text span size="sm" c="dimmed">
              <FieldValue value={at} kind="date-time" />
              {count < lines.length && ` · ${t('{{count}} lines', { count })}`}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NeighboursProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly field: FieldInfo
  readonly number: string
}

/** With whole numbers, a neighbour is looked for so far away: in all states at once, the index leads to few lines. */
const NEAR = 1_000n

/** The vouchers before and behind this one, to go through them one by one. */
function Neighbours({ company, document, field, number }: NeighboursProps) {
  const written = literalOf(field, number)
  const { data } = useQuery({
    queryKey: [company, 'voucher-neighbours', document.name, number],
    enabled: written !== undefined,
    queryFn: async () => {
      const { path, kind } = field
      const at = async (operator: 'lt' | 'gt') => {
        const [order, near] = operator === 'lt' ? [`${path} desc`, -NEAR] : [path, NEAR]
        const within = kind === 'text' ? '' : ` and ${path} ${operator === 'lt' ? 'ge' : 'le'} ${BigInt(number) + near}`
        const question = { document: document.name, select: path, filter: `${path} ${operator} ${written}${within}` }
        const address = addressOf(company, { ...question, orderBy: order, limit: 1 })
        const answer = await fetchService(address + stateParameters(document.name))
        const [row] = parseExact<unknown[]>(await answer.text())
        return row === undefined ? undefined : String(valueIn(row, field).value)
      }
      const [before, after] = await Promise.all([at('lt'), at('gt')])
      return { before, after }
    },
  })
  const link = (to: string | undefined, label: string) => (
    <Button
      variant="default"
      component={Link}
      disabled={to === undefined}
      to="/$company/voucher/$document/$number"
      params={{ company, document: document.name, number: to ?? number } as never}
    >
      {label}
    </Button>
  )
  return (
    <>
      {link(data?.before, t('Voucher before'))}
      {link(data?.after, t('Next voucher'))}
    </>
  )
}
