// What the search offers besides records: pages, and what may be done from anywhere.
import type { LinkProps } from '@tanstack/react-router'
import { filter, type SearchGroup, type SearchHit } from '#client'
import { shownCommands } from '../../parts/command.ts'
import { type IconName, iconOf } from '../../parts/icon.tsx'
import { notify } from '../../parts/notices.tsx'
import { useAdministered } from '../../service/administration-parts.ts'
import { BASE_PATH } from '../../service/base-path.ts'
import { useKept } from '../../service/kept.ts'
import { useMayImport, useMayWrite } from '../../service/may-write.ts'
import { type DocumentSummary, LEDGER, PLUMBING, useDocuments } from '../../service/metadata.ts'
import { LANGUAGES } from '../../service/preferences.ts'
import { chooseReading } from '../../service/reading.ts'
import { recordKeyText, recordLink } from '../../service/record-key.ts'
import { signOut, useCompany, useMay, useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { newRecordText, withinSentence } from '../document-title.ts'

export interface Choice {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  /** Where it leads, or what it does. */
  readonly to: LinkProps | (() => void)
  /** What is said of a record. */
  readonly hit?: SearchHit
  /** Whether people know records by their key. */
  readonly isNumbered?: boolean
  /** What does the same on the page. */
  readonly key?: string | undefined
}

export interface ChoiceGroup {
  readonly title: string
  readonly choices: readonly Choice[]
}

const ARCHIVE = 'document-archive'

/** The key of a hit as in the address of its record. */
function keyOfHit(document: string, { key }: SearchHit): string {
  const parts = Object.values(key).map(String)
  return document === ARCHIVE ? parts.join() : recordKeyText(parts)
}

/** A line of the ledger is read within its voucher. */
function voucherLink(company: string, document: string, { key }: SearchHit): LinkProps | undefined {
  const { transactionNumber } = key
  if (document !== LEDGER || transactionNumber === undefined) return undefined
  return { to: '/$company/voucher/$document/$number', params: { company, document, number: String(transactionNumber) } }
}

/** The words that were searched for are marked in a file, whatever it was found by. The last one may not be complete yet. */
function marking(document: string, text: string): Pick<LinkProps, 'search'> {
  return document === ARCHIVE ? { search: { search: `${text}*` } as never } : {}
}

/** The records of a document that were found, and the way to all of them. */
export function hitsIn(company: string, { document, title, hits, hasMore }: SearchGroup, text: string): ChoiceGroup {
  const choices = hits.map((hit): Choice => {
    const key = keyOfHit(document, hit)
    return {
      id: `${document} ${key}`,
      icon: iconOf(document),
      title: hit.title,
      to: voucherLink(company, document, hit) ?? { ...recordLink(company, document, key), ...marking(document, text) },
      hit,
      isNumbered: document !== ARCHIVE,
    }
  })
  const property = hits[0]?.matches.find(({ type, ranges }) => type === 'string' && ranges.length > 0)?.property
  if (!hasMore || property === undefined) return { title, choices }
  const search = { filter: `contains(tolower(${property}),${filter`${text.toLowerCase()}`})` }
  const more: Choice = {
    id: `more ${document}`,
    icon: 'table',
    title: t('More in {{document}}', { document: title }),
    to: { to: '/$company/grid/$document', params: { company, document }, search } as LinkProps,
  }
  return { title, choices: [...choices, more] }
}

const ICONS: Readonly<Record<string, IconName>> = { E: 'pencil', N: 'plus', F: 'search' }

/** What can be done on the page that the search was opened on. */
export function commandsHere(): readonly Choice[] {
  const commands = shownCommands()
    // Those with a letter are the usual ones.
    .toSorted((one, other) => Number(!one.key) - Number(!other.key))
    .map(({ title, key, run }): Choice => {
      // When the search is closed, and the cursor back on the page.
      return { id: `command ${title}`, icon: ICONS[key ?? ''] ?? 'more', title, key, to: () => void setTimeout(run) }
    })
  const copyLink = () => void navigator.clipboard.writeText(location.href).then(() => notify(t('Copied')))
  return [...commands, { id: 'command copy link', icon: 'copy', title: t('Copy link to this page'), to: copyLink }]
}

const MOST_RECENT = 8

/** The records that were opened last. */
export function useRecent(): readonly Choice[] {
  const { id: company } = useCompany()
  const [recent] = useKept('recent')
  return recent.slice(0, MOST_RECENT).map(({ document, key = '', title }) => ({
    id: `recent ${document} ${key}`,
    icon: iconOf(document),
    title,
    to: recordLink(company, document, key),
  }))
}

export function usePages(): readonly Choice[] {
  const { id: company, source } = useCompany()
  const administered = useAdministered()
  const { data: documents = [] } = useDocuments()
  const may = useMay()
  const params = { company }
  const page = (icon: IconName, title: string, to: Choice['to']): Choice => ({ id: `page ${title}`, icon, title, to })
  return [
    page('home', t('Home'), { to: '/$company', params }),
    page('question', t('Ask'), { to: '/$company/query', params }),
    page('sum', t('Balances'), { to: '/$company/balances', params }),
    ...(may('documents:read') ? [page('folder', t('Files and scans'), { to: '/$company/documents', params })] : []),
    ...documents
      .toSorted(plumbingLast)
      .map(({ name, title }) =>
        page(iconOf(name), title, { to: '/$company/grid/$document', params: { company, document: name } }),
      ),
    page('plug', t('Integrations'), { to: '/$company/integrations', params }),
    ...(source ? [page('mirror', t('Mirror'), { to: '/$company/mirror', params })] : []),
    ...(administered.length > 0 ? [page('server', t('Administration'), { to: '/service' })] : []),
    ...administered.map(([part, { title }]) => page('server', title(), { to: '/service', search: { part } as never })),
    page('account', t('Sessions'), { to: '/account' }),
    page('braces', t('Reference'), { to: '/$company/reference', params }),
    page('book', t('Guides'), () => location.assign(`${BASE_PATH}/docs`)),
  ]
}

function plumbingLast(one: DocumentSummary, other: DocumentSummary): number {
  return Number(PLUMBING.has(one.name)) - Number(PLUMBING.has(other.name))
}

export function useActions(): readonly Choice[] {
  const { id: company } = useCompany()
  const { user } = useSession()
  const { data: documents = [] } = useDocuments()
  const mayImport = useMayImport()
  const mayWrite = useMayWrite()
  const created = documents.filter(({ name }) => mayWrite(name, 'create'))
  return [
    ...created.map((document) => ({
      id: `new ${document.name}`,
      icon: 'plus' as const,
      title: newRecordText(document),
      to: { to: '/$company/new/$document', params: { company, document: document.name } } as LinkProps,
    })),
    ...created
      .filter(({ name }) => mayImport(name))
      .map(({ name, title }) => ({
        id: `import ${name}`,
        icon: 'table' as const,
        title: t('Import {{document}}', { document: withinSentence(title) }),
        to: { to: '/$company/import/$document', params: { company, document: name } } as LinkProps,
      })),
    ...Object.entries(LANGUAGES).map(([language, name]) => ({
      id: `language ${language}`,
      icon: 'language' as const,
      title: t('Change the language: {{language}}', { language: name }),
      to: () => void chooseReading(user, { language }),
    })),
    { id: 'sign out', icon: 'account', title: t('Sign out'), to: () => void signOut() },
  ]
}

/** Those whose title has all the words. */
export function matching(choices: readonly Choice[], text: string): readonly Choice[] {
  const words = text.toLowerCase().split(/\s+/)
  return choices.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
}
