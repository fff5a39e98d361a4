// What somebody who was never here may look at, and make, first.
import { Link } from '@tanstack/react-router'
import { Icon, iconOf } from '../../parts/icon.tsx'
import { useMayWrite } from '../../service/may-write.ts'
import { useNewRecordText } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { useFirstDocuments } from './first-documents.ts'
import classes from './home.module.css'
import { Part } from './part.tsx'

export function WhereToBegin({ company }: { readonly company: string }) {
  const documents = useFirstDocuments()
  const newText = useNewRecordText()
  const mayWrite = useMayWrite()
  return (
    <Part title={t('Where to begin')}>
      <ul className={classes.list}>
        {documents.map(({ name, title, description }) => (
          <li key={name}>
            <span>
              <Icon name={iconOf(name)} size={16} />{' '}
              <Link to="/$company/grid/$document" params={{ company, document: name }}>
                {title}
              </Link>
            </span>
            {mayWrite(name, 'create') && (
              <Link to="/$company/new/$document" params={{ company, document: name }}>
                {newText(name)}
              </Link>
            )}
            <span className={classes.about}>{description}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
