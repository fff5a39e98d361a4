// What the page of administrators has, and what of it a person may see.
import { t } from '../words/words.ts'
import { useSession } from './session.ts'

interface AdministrationPart {
  readonly title: () => string
  /** Concerns all companies. */
  readonly isOfService?: true
}

const PARTS = {
  people: { title: () => t('People') },
  clients: { title: () => t('Clients') },
  requests: { title: () => t('Requests') },
  webhooks: { title: () => t('Webhooks') },
  jobs: { title: () => t('Jobs') },
  setup: { title: () => t('Setup'), isOfService: true },
  backups: { title: () => t('Backups'), isOfService: true },
  health: { title: () => t('Health'), isOfService: true },
} as const satisfies Record<string, AdministrationPart>

export type PartName = keyof typeof PARTS

/** Whether the person administers the company, with its clients. */
export function useAdministersCompany(company: string): boolean {
  const { administrator, administers = [], actingAs } = useSession()
  const isOwn = administers.some((id) => id.toLowerCase() === company.toLowerCase())
  return actingAs === undefined && (administrator || isOwn)
}

/** None for who is no administrator, or sees what a client sees. */
export function useAdministered(): readonly [PartName, AdministrationPart][] {
  const { administrator, administers, actingAs } = useSession()
  if ((!administrator && !administers) || actingAs !== undefined) return []
  const parts = Object.entries(PARTS) as [PartName, AdministrationPart][]
  return parts.filter(([, { isOfService }]) => administrator || !isOfService)
}
