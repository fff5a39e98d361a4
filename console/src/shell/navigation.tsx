import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon, type IconName, iconOf } from '../parts/icon.tsx'
import { BASE_PATH } from '../service/base-path.ts'
import { type DocumentSummary, PLUMBING, useDocuments } from '../service/metadata.ts'
import { useCompany, useMay, useSession } from '../service/session.ts'
import { t } from '../words/words.ts'
import classes from './shell.module.css'

const ARCHIVE = 'document-archive'

export function Navigation() {
  const { id: company, source } = useCompany()
  const { data: documents = [] } = useDocuments()
  const may = useMay()
  const { administrator, administers, actingAs } = useSession()
  const params = { company }
  const archive = documents.find(({ name }) => name === ARCHIVE)
  return (
    <nav className={classes.nav} aria-label={t('Pages')}>
      <ul className={classes.list}>
        <Page to="/$company" params={params} activeOptions={{ exact: true }} icon="home" title={t('Home')} />
        <Page to="/$company/query" params={params} icon="question" title={t('Ask')} />
        <Page to="/$company/balances" params={params} icon="sum" title={t('Balances')} />
      </ul>
      <Records company={company} documents={documents.filter(({ name }) => name !== ARCHIVE)} />
      {(may('documents:read') || archive) && (
        <Group title={t('Documents')}>
          {may('documents:read') && (
            <Page to="/$company/documents" params={params} icon="folder" title={t('Files and scans')} />
          )}
          {archive && <DocumentPage company={company} document={archive} />}
        </Group>
      )}
      <Group title={t('Service')}>
        <Page to="/$company/integrations" params={params} icon="plug" title={t('Integrations')} />
        {source && <Page to="/$company/mirror" params={params} icon="mirror" title={t('Mirror')} />}
        {(administrator || administers) && actingAs === undefined && (
          <Page to="/service" icon="server" title={t('Administration')} />
        )}
        <Page to="/account" icon="account" title={t('Sessions')} />
        <Page to="/$company/reference" params={params} icon="braces" title={t('Reference')} />
        <li>
          <a href={`${BASE_PATH}/docs`} className={classes.link}>
            <Icon name="book" />
            {t('Guides')}
          </a>
        </li>
      </Group>
    </nav>
  )
}

function Records({ company, documents }: { readonly company: string; readonly documents: readonly DocumentSummary[] }) {
  const { true: plumbing = [], false: records = [] } = Object.groupBy(documents, ({ name }) =>
    PLUMBING.has(name) ? 'true' : 'false',
  )
  return (
    <Group title={t('Records')}>
      {records.map((document) => (
        <DocumentPage key={document.name} company={company} document={document} />
      ))}
      {plumbing.length > 0 && (
        <li>
          <details className={classes.folded}>
            <summary className={classes.link}>
              <Icon name="tag" />
              {t('Codes and log')}
            </summary>
            <ul className={classes.list} aria-label={t('Codes and log')}>
              {plumbing.map((document) => (
                <DocumentPage key={document.name} company={company} document={document} />
              ))}
            </ul>
          </details>
        </li>
      )}
    </Group>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <p className={classes.heading}>{title}</p>
      <ul className={classes.list} aria-label={title}>
        {children}
      </ul>
    </section>
  )
}

interface DocumentPageProps {
  readonly company: string
  readonly document: DocumentSummary
  readonly icon?: IconName
}

function DocumentPage({ company, document: { name, title }, icon = iconOf(name) }: DocumentPageProps) {
  return <Page to="/$company/grid/$document" params={{ company, document: name }} icon={icon} title={title} />
}

function Page({ icon, title, ...link }: LinkProps & { readonly icon: IconName; readonly title: string }) {
  return (
    <li>
      <Link {...link} className={classes.link ?? ''}>
        <Icon name={icon} />
        {title}
      </Link>
    </li>
  )
}
