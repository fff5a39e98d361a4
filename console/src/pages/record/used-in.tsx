// Where a record is used: the records that refer to it, by kind, each with their number and sum, and a way to them. It
// is asked for when it comes into view.
import { Title } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { amountText, numberText } from '../../parts/field-value.tsx'
import { Icon, iconOf } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { fetchService } from '../../service/client.ts'
import { newestQuery } from '../../service/dimensions.ts'
import { parseExact } from '../../service/exact-json.ts'
import { sumOf } from '../../service/exact-sums.ts'
import { type DocumentInfo, type FieldInfo, fieldTitle, useDescriptions, useDocuments } from '../../service/metadata.ts'
import { addressOf, valueIn } from '../../service/question.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { amountFields } from '../balances/view.ts'
import type { Row } from '../grid/rows.ts'
import { hasManyDimensions, type Referring, referringIn, subjectOf } from './referring.ts'
import classes from './used-in.module.css'

/** More records of a kind are told as so many and more, without a sum: a list of a million lines is not counted. */
const MOST_COUNTED = 1_000
/** Ways in which records may refer to one. */
const MOST_WAYS = 30

interface UsedInProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly row: Row
}

export function UsedIn(props: UsedInProps) {
  const { ref, inViewport } = useInViewport<HTMLElement>()
  const [isSeen, setSeen] = useState(false)
  if (inViewport && !isSeen) setSeen(true)
  const title = t('Used in')
  return (
    <section ref={ref} aria-label={title}>
      <Title order={2}>{title}</Title>
      {isSeen ? <Uses {...props} /> : <div className={classes.unseen} />}
    </section>
  )
}

const WAITING = <Loading lines={3} />

interface Use extends Referring {
  readonly count: number
  readonly isMore: boolean
  readonly amount: FieldInfo | undefined
  /** In the plain form; undefined where there is no amount, or not all are known. */
  readonly sum: string | undefined
}

function Uses(props: UsedInProps) {
  const { company } = props
  const { ways, isKnown } = useReferring(props)
  const answers = useQueries({
    queries: ways.map((way) => ({
      queryKey: [company, 'use', way.document.name, way.filter],
      queryFn: () => readUse(company, way),
      retry: false,
    })),
  })
  if (!isKnown || answers.some(({ isPending }) => isPending)) return WAITING
  const uses = answers.flatMap(({ data }) => (data && data.count > 0 ? [data] : []))
  if (uses.length === 0) return <p className={classes.unused}>{t('No record that you may see refers to it.')}</p>
  return (
    <ul className={classes.uses}>
      {uses.map((use) => (
        <UseLink
          key={`${use.document.name} ${use.filter}`}
          {...{ company, use }}
          {...saidOf(use, uses, props.document)}
        />
      ))}
    </ul>
  )
}

/** In which way, where that does not go without saying. */
function saidOf({ document, title }: Use, uses: readonly Use[], { name }: DocumentInfo): { way?: string } {
  const ways = uses.filter((one) => one.document.name === document.name)
  return ways.length > 1 || document.name === name ? { way: title } : {}
}

interface UseLinkProps {
  readonly company: string
  readonly use: Use
  readonly way?: string
}

function UseLink({ company, use, way }: UseLinkProps) {
  const { document, filter, count, isMore, amount, sum } = use
  const titleOf = useTitles()
  return (
    <li>
      <Link
        to="/$company/grid/$document"
        params={{ company, document: document.name }}
        search={{ filter } as never}
        className={classes.use}
      >
        <Icon name={iconOf(document.name)} size={16} />
        <span className={classes.usedAs}>
          {titleOf(document.name)}
          {way !== undefined && <span className={classes.quiet}> {way}</span>}
        </span>
        <strong>{isMore ? `${numberText(String(MOST_COUNTED))}+` : numberText(String(count))}</strong>
        {amount && sum !== undefined && (
          <span className={classes.useSum}>
            {fieldTitle(amount)} <b>{amountText(sum)}</b>
          </span>
        )}
      </Link>
    </li>
  )
}

/** All ways in which records that the person may read can refer to one. */
function useReferring({ company, document, row }: UsedInProps) {
  const { data: documents } = useDocuments()
  const names = documents?.map(({ name }) => name) ?? []
  const described = useDescriptions(names)
  const infos = described.flatMap(({ data }) => data ?? [])
  const newest = useQueries({
    queries: infos.map((info) => {
      const query = newestQuery(company, info)
      return { ...query, enabled: query.enabled && hasManyDimensions(info) }
    }),
  })
  const subject = subjectOf(document, row)
  const ways = infos.flatMap((info, at) => referringIn(info, subject, newest[at]?.data ?? []))
  const isKnown = documents !== undefined && ![...described, ...newest].some(({ isLoading }) => isLoading)
  return { ways: isKnown ? ways.slice(0, MOST_WAYS) : [], isKnown }
}

/** One bounded answer has the number and the sum. */
async function readUse(company: string, way: Referring): Promise<Use> {
  const { document, filter } = way
  const [amount] = amountFields(document)
  const select = amount?.path ?? document.keys.at(-1)
  const question = { document: document.name, select, filter, limit: MOST_COUNTED + 1 }
  const rows = parseExact<Row[]>(await (await fetchService(addressOf(company, question))).text())
  const isMore = rows.length > MOST_COUNTED
  const sum = amount && !isMore ? sumOf(rows.map((row) => String(valueIn(row, amount).value))) : undefined
  return { ...way, count: rows.length, isMore, amount, sum }
}
