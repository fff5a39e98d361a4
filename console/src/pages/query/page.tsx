// Asking the query language, with the address, curl and code of what is asked.
import { Button, Menu, NativeSelect, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MirrorNote } from '../../parts/mirror-note.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Preformatted } from '../../parts/preformatted.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { BASE_PATH } from '../../service/base-path.ts'
import { fetchService } from '../../service/client.ts'
import { parseExact } from '../../service/exact-json.ts'
import { documentQuery, useDocuments } from '../../service/metadata.ts'
import { addressOf, type Question, questionIn } from '../../service/question.ts'
import { useCompany } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { FilterInput } from './filter-input.tsx'
import { placeOf } from './place.ts'
import { type Printed, printed } from './printed.ts'
import classes from './query.module.css'
import { Results } from './results.tsx'

const fields = () =>
  [
    ['select', t('Select'), 'customerId,countryCode[C;T],invoice(creditLimit)'],
    ['filter', t('Filter'), "countryCode eq 'NO' and contains(customerName,'AS')"],
    ['orderBy', t('Order by'), 'customerName desc'],
    ['groupBy', t('Group by'), 'countryCode'],
    ['aggregate', t('Aggregate'), 'count() as customers'],
    ['having', t('Having'), 'customers gt 10'],
    ['validAt', t('Valid at'), '2026-01-31'],
    ['asOf', t('As of'), '2026-01-31T12:00:00Z'],
  ] as const

const START: Question = { document: 'customers', limit: 50 }

export function QueryPage() {
  const { url } = useSearch({ strict: false }) as { url?: string }
  const { id: company } = useCompany()
  const asked = url === undefined ? undefined : questionIn(url)?.question
  const navigate = useNavigate()
  const ask = (question: Question) => void navigate({ to: '.', search: { url: addressOf(company, question) } as never })
  return (
    <PageFrame title={t('Ask')} description={t('Any question to the records, as a program would ask it.')}>
      <Builder key={url} question={asked ?? START} onAsk={ask} />
      {asked && <Answer company={company} question={asked} onAsk={ask} />}
    </PageFrame>
  )
}

interface BuilderProps {
  readonly question: Question
  readonly onAsk: (question: Question) => void
}

function Builder({ question: asked, onAsk }: BuilderProps) {
  const { id: company } = useCompany()
  const { data: documents = [] } = useDocuments()
  const [question, setQuestion] = useState(asked)
  const [pasted, setPasted] = useState('')
  const change = (changed: Partial<Question>) => setQuestion({ ...question, ...changed })
  const readIn = (text: string) => {
    const read = questionIn(text)?.question
    return documents.some(({ name }) => name === read?.document) ? read : undefined
  }
  const paste = (text: string) => {
    setPasted(text)
    const read = readIn(text)
    if (read) setQuestion(read)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAsk(question)
  }
  return (
    <div className={classes.columns}>
      <form onSubmit={submit} className={classes.form}>
        <NativeSelect
          label={t('Document')}
          value={question.document}
          data={documents.map(({ name, title }) => ({ value: name, label: title }))}
          onChange={({ currentTarget }) => setQuestion({ document: currentTarget.value, limit: 50 })}
        />
        {fields().map(([member, label, example]) =>
          member === 'filter' ? (
            <FilterInput
              key={member}
              document={question.document}
              value={question.filter ?? ''}
              onChange={(filter) => change({ filter })}
            />
          ) : (
            <TextInput
              key={member}
              label={label}
              placeholder={question.document === START.document ? example : undefined}
              spellCheck={false}
              value={question[member] ?? ''}
              onChange={({ currentTarget }) => change({ [member]: currentTarget.value })}
            />
          ),
        )}
        <TextInput
          label={t('Limit')}
          inputMode="numeric"
          value={String(question.limit ?? '')}
          onChange={({ currentTarget: { value } }) =>
            change({ limit: /^\d{1,5}$/.test(value) ? Number(value) : undefined })
          }
        />
        <div className={classes.buttons}>
          <Button type="submit">{t('Ask')}</Button>
          <FieldHints
            key={question.document}
            document={question.document}
            onChoose={(path) => change({ filter: joined(question.filter, path) })}
          />
        </div>
        <TextInput
          label={t('Read a URL')}
          placeholder={t('Paste one, and its question stands above')}
          value={pasted}
          error={pasted !== '' && !readIn(pasted) ? t('This is no URL of a document that you may read.') : undefined}
          onChange={({ currentTarget }) => paste(currentTarget.value)}
        />
      </form>
      <PrintedQuestion shown={printed(location.origin + BASE_PATH, company, question)} />
    </div>
  )
}

const joined = (filter: string | undefined, path: string): string =>
  filter === undefined || filter === '' ? `${path} eq ` : `${filter} and ${path} eq `

interface AnswerProps {
  readonly company: string
  readonly question: Question
  readonly onAsk: (question: Question) => void
}

function Answer({ company, question, onAsk }: AnswerProps) {
  const { data: document } = useQuery(documentQuery(company, question.document))
  const address = addressOf(company, question)
  const isGrouped = (question.groupBy ?? '') !== '' || (question.aggregate ?? '') !== ''
  const { data, error, isPending } = useQuery({
    queryKey: [company, 'answer', address],
    queryFn: async ({ signal }) => {
      const begun = performance.now()
      const answer = await fetchService(address, { signal })
      const text = await answer.text()
      const ms = Math.round(performance.now() - begun)
      const parsed = parseExact<unknown>(text)
      const rows = Array.isArray(parsed) ? parsed : [parsed]
      const isCut = question.limit !== undefined && rows.length >= question.limit
      return { rows, ms, bytes: text.length, total: isCut ? await countOf(company, question, signal) : undefined }
    },
    gcTime: 0,
  })
  return (
    <section aria-label={t('Answer')} aria-live="polite">
      <MirrorNote document={question.document} />
      {error && <ProblemNote error={error} />}
      {error && <WrongPlace question={question} message={error.message} />}
      {isPending && <Loading />}
      {data && (
        <Results
          {...data}
          question={question}
          document={document}
          isGrouped={isGrouped}
          onMore={(limit) => onAsk({ ...question, limit })}
        />
      )}
    </section>
  )
}

/** All rows, or groups, that the question leaves. */
async function countOf(company: string, question: Question, signal: AbortSignal): Promise<number> {
  const { select: _select, orderBy: _orderBy, limit: _limit, offset: _offset, ...counted } = question
  const address = addressOf(company, counted)
  const { headers } = await fetchService(address, { method: 'HEAD', signal })
  return Number(headers.get('x-erp-total-count'))
}

/** The text of the question with what is wrong marked in it. */
function WrongPlace({ question, message }: { readonly question: Question; readonly message: string }) {
  const place = placeOf(message, question)
  if (!place) return null
  return (
    <p className={classes.wrong}>
      {place.option}: <bdi>{place.before}</bdi>
      <mark>{place.wrong === '' ? `\u00a0(${t('here')})` : place.wrong}</mark>
      <bdi>{place.after}</bdi>
    </p>
  )
}

const names = (): Readonly<Record<keyof Printed, string>> => ({
  url: 'URL',
  curl: 'curl',
  typescript: 'TypeScript',
  excelFile: t('Excel file'),
  excel: t('Excel connection'),
})

/** The question as it stands in the form, before it is asked. */
function PrintedQuestion({ shown }: { readonly shown: Printed }) {
  return (
    <div className={classes.printed}>
      {Object.entries(names()).map(([form, name]) => (
        <section key={form} aria-label={name}>
          <div className={classes.printedHead}>
            <Title order={2} size="h5">
              {name}
            </Title>
            <CopyButton text={shown[form as keyof Printed]}>{t('Copy {{what}}', { what: name })}</CopyButton>
          </div>
          <Preformatted className={classes.code}>{shown[form as keyof Printed]}</Preformatted>
        </section>
      ))}
    </div>
  )
}

interface FieldHintsProps {
  readonly document: string
  readonly onChoose: (path: string) => void
}

/** The fields that this caller may filter by; one that is chosen begins a condition. */
function FieldHints({ document, onChoose }: FieldHintsProps) {
  const { data } = useQuery(documentQuery(useCompany().id, document))
  return (
    <Menu position="bottom-start" withinPortal={false}>
      <Menu.Target>
        <Button variant="default">{t('Fields')}</Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.hints}>
        {data?.fields
          .filter(({ isFilterable }) => isFilterable)
          .map(({ path, titles }) => (
            <Menu.Item key={path} onClick={() => onChoose(path)} rightSection={titles.at(-1)}>
              {path}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}
