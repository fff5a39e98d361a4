import { Link } from '@tanstack/react-router'
import { BASE_PATH } from '../service/base-path.ts'
import { type DocumentSummary, useDocuments } from '../service/metadata.ts'
import { useCompany, useMay, useSession } from '../service/session.ts'
import { t } from '../words/words.ts'
import classes from './shell.module.css'

export function Navigation() {
  const { id: company, source } = useCompany()
  const { data: documents = [] } = useDocuments()
  const may = useMay()
  const { administrator, actingAs } = useSession()
  const params = { company }
  return (
    <nav className={classes.nav} aria-label="Pages">
      <Link to="/$company" params={params} activeOptions={{ exact: true }} className={classes.link}>
        Home
      </Link>
      <Link to="/$company/query" params={params} className={classes.link}>
        Ask
      </Link>
      <Link to="/$company/balances" params={params} className={classes.link}>
        {t('Balances')}
      </Link>
      {may('documents:read') && (
        <Link to="/$company/documents" params={params} className={classes.link}>
          Documents
        </Link>
      )}
      <Link to="/$company/integrations" params={params} className={classes.link}>
        Integrations
      </Link>
      {source && (
        <Link to="/$company/mirror" params={params} className={classes.link}>
          Mirror
        </Link>
      )}
      <DocumentLinks company={company} documents={documents} />
      <p className={classes.heading} id="nav-service">
        Service
      </p>
      <ul className={classes.list} aria-labelledby="nav-service">
        <li>
          <Link to="/account" className={classes.link}>
            Sessions
          </Link>
        </li>
        {administrator && actingAs === undefined && (
          <li>
            <Link to="/service" className={classes.link}>
              Setup and clients
            </Link>
          </li>
        )}
        <li>
          <Link to="/$company/reference" params={params} className={classes.link}>
            Reference
          </Link>
        </li>
        <li>
          <a href={`${BASE_PATH}/docs`} className={classes.link}>
            Guides
          </a>
        </li>
      </ul>
    </nav>
  )
}

function DocumentLinks({
  company,
  documents,
}: {
  readonly company: string
  readonly documents: readonly DocumentSummary[]
}) {
  return (
    <>
      <p className={classes.heading} id="nav-documents">
        Records
      </p>
      <ul className={classes.list} aria-labelledby="nav-documents">
        {documents.map(({ name, title }) => (
          <li key={name}>
            <Link to="/$company/grid/$document" params={{ company, document: name }} className={classes.link}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
