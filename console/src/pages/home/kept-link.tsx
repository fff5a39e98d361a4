import { Link } from '@tanstack/react-router'
import { Icon, iconOf } from '../../parts/icon.tsx'
import type { KeptPage } from '../../service/kept.ts'
import { recordLink } from '../../service/record-key.ts'
import { useTitles } from '../../shell/document-title.ts'
import classes from './home.module.css'

/** Leads to a record, or to a list as it was kept. */
export function KeptLink({ company, page }: { readonly company: string; readonly page: KeptPage }) {
  const { document, key, search = {}, title } = page
  const titleOf = useTitles()
  const shown = <bdi>{title}</bdi>
  return (
    <>
      <Icon name={iconOf(document)} size={16} />{' '}
      {key === undefined ? (
        <Link to="/$company/grid/$document" params={{ company, document }} search={search as never}>
          {shown}
        </Link>
      ) : (
        <Link {...recordLink(company, document, key)}>{shown}</Link>
      )}{' '}
      {titleOf(document) !== title && <span className={classes.quiet}>{titleOf(document)}</span>}
    </>
  )
}
