// What has changed in the records and lists that the person follows, since they were opened last.
import { useQueries, useQuery } from '@tanstack/react-query'
import { ChangeSentence } from '../../parts/change-sentence.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { Icon, iconOf } from '../../parts/icon.tsx'
import { StarButton } from '../../parts/star-button.tsx'
import { fetchJson, fetchService } from '../../service/client.ts'
import { type KeptPage, useKept } from '../../service/kept.ts'
import { documentQuery } from '../../service/metadata.ts'
import { addressOf } from '../../service/question.ts'
import { recordKeyParts } from '../../service/record-key.ts'
import { type History, type RecordChangeEntry, recordPath } from '../../service/records.ts'
import { t } from '../../words/words.ts'
import { useFirstDocuments } from './first-documents.ts'
import classes from './home.module.css'
import { KeptLink } from './kept-link.tsx'
import { Part } from './part.tsx'

interface News {
  /** Changes of the record, or records of the list. */
  readonly count: number
  readonly isMore: boolean
  /** The last change of the record; undefined for lists, and where nothing has changed. */
  readonly last?: RecordChangeEntry | undefined
}

/** More changes of one record are told as so many and more. */
const MOST_CHANGES = 20

export function Followed({ company }: { readonly company: string }) {
  const [followed] = useKept('followed')
  const answers = useQueries({
    queries: followed.map((page) => ({
      queryKey: [company, 'news', page],
      queryFn: () => (page.key === undefined ? newsOfList(company, page) : newsOfRecord(company, page)),
    })),
  })
  return (
    <Part title={t('What you follow')}>
      {followed.length === 0 && <ToFollow />}
      <ul className={classes.list}>
        {followed.map((page, at) => (
          <li key={`${page.document} ${page.key} ${JSON.stringify(page.search)}`}>
            <span>
              <KeptLink company={company} page={page} />
            </span>
            <span className={classes.quiet}>
              <NewsText
                company={company}
                page={page}
                news={answers[at]?.data}
                isFailed={answers[at]?.isError ?? false}
              />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function ToFollow() {
  const documents = useFirstDocuments()
  return (
    <>
      <p className={classes.quiet}>{t('Press the star of a record or a list: what changes in it is told here.')}</p>
      <ul className={classes.list}>
        {documents.map(({ name, title }) => (
          <li key={name}>
            <span>
              <Icon name={iconOf(name)} size={16} /> {title}
            </span>
            <StarButton page={{ document: name, search: {}, title }} isOneOfMany />
          </li>
        ))}
      </ul>
    </>
  )
}

interface NewsTextProps {
  readonly company: string
  readonly page: KeptPage
  readonly news: News | undefined
  readonly isFailed: boolean
}

function NewsText({ company, page, news, isFailed }: NewsTextProps) {
  if (isFailed) return t('what has become of it is not known')
  if (!news) return '…'
  if (news.count === 0) return t('nothing new')
  if (page.key === undefined) return <strong>{t('{{count}} new or changed', { count: news.count })}</strong>
  return (
    <>
      <strong>{t('{{count}} changes', { count: news.count })}</strong>
      {news.isMore && '+'} {news.last && <LastChange company={company} document={page.document} change={news.last} />}
    </>
  )
}

interface LastChangeProps {
  readonly company: string
  readonly document: string
  readonly change: RecordChangeEntry
}

function LastChange({ company, document, change }: LastChangeProps) {
  const { data: described } = useQuery(documentQuery(company, document))
  return (
    <>
      · <ChangeSentence change={change} document={described} /> · {timeText(change.time)}
    </>
  )
}

async function newsOfRecord(company: string, { document, key = '', at }: KeptPage): Promise<News> {
  const path = `${recordPath(document, recordKeyParts(key))}/history`
  const { changes } = await fetchJson<History>(`${path}?companyId=${encodeURIComponent(company)}&limit=${MOST_CHANGES}`)
  const since = changes.filter(({ time }) => Date.parse(time) > Date.parse(at))
  return { count: since.length, isMore: since.length === MOST_CHANGES, last: since[0] }
}

async function newsOfList(company: string, { document, search = {}, at }: KeptPage): Promise<News> {
  const since = `lastUpdated/updatedAt gt ${at}`
  const filter = typeof search.filter === 'string' && search.filter !== '' ? `(${search.filter}) and ${since}` : since
  const { headers } = await fetchService(addressOf(company, { document, filter }), { method: 'HEAD' })
  return { count: Number(headers.get('x-erp-total-count')), isMore: false }
}
