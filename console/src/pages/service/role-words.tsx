// What roles allow, in words.
import type { People, Role, Roles } from '../../service/administration.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'

const VERBS: Readonly<Record<string, () => string>> = {
  create: () => t('Create'),
  read: () => t('Read'),
  update: () => t('Change'),
  delete: () => t('Delete'),
  export: () => t('Download'),
}

const listed = (words: readonly string[]): string =>
  new Intl.ListFormat(document.documentElement.lang, { style: 'short', type: 'unit' }).format(words)

/** `Read, change: customers. Query: all documents.` */
export function useRoleWords(): (role: Role) => string {
  const titleOf = useTitles()
  return ({ apis, objects, restricted }) => {
    const byVerbs = Map.groupBy(
      Object.entries(apis).filter(([api, operations]) => api !== 'objects' && operations.length > 0),
      ([, operations]) => listed(operations.map((one) => VERBS[one]?.() ?? one)),
    )
    const sentences = [...byVerbs].map(([verbs, of]) => `${verbs}: ${listed(of.map(([api]) => titleOf(api)))}`)
    const asked = objects.includes('*') ? t('everything') : listed(objects.map(titleOf))
    if (apis.objects?.includes('read') && asked !== '') sentences.push(`${t('Find and sum')}: ${asked}`)
    if (restricted.length > 0) sentences.push(`${t('Not all of')}: ${listed(restricted.map(titleOf))}`)
    return sentences.length === 0 ? t('Nothing') : `${sentences.join('. ')}.`
  }
}

interface RolesTextProps {
  readonly roles: Roles
  readonly companies: People['companies']
}

/** The roles by company; the company is left out where there is one. */
export function RolesText({ roles, companies }: RolesTextProps) {
  const given = Object.entries(roles).filter(([, ids]) => ids.length > 0)
  if (given.length === 0) return t('Nothing')
  return given.map(([company, ids]) => (
    <div key={company}>
      {companies.length > 1 && `${companies.find(({ id }) => id === company)?.name ?? company}: `}
      <bdi>{ids.join(', ')}</bdi>
    </div>
  ))
}
