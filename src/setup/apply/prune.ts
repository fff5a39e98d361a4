// Removal of clients, users, roles and subscriptions that a setup file no longer has. Records never refer to them.
import type { ClientDefinition, UserDefinition } from '../../access/caller.ts'
import { isBound } from '../../access/issuer-users.ts'
import { statement, whereEqual } from '../../sql/statement.ts'
import type { SetupTx } from '../../store/store.ts'
import { requireNoFault } from '../file/invalid-setup.ts'
import type { Setup, SubscriptionSetup } from '../file/setup-schema.ts'
import type { ItemKind, SetupItem } from '../items/setup-item.ts'
import { accessFrom, definitionsOf } from '../rules/access-definitions.ts'
import { itemName } from './print-changes.ts'

/** The sections whose items can be removed, and the kinds of these. */
export const PRUNABLE = {
  clients: 'client',
  users: 'user',
  roles: 'role',
  subscriptions: 'subscription',
} as const satisfies Record<string, ItemKind>
export type PrunableSection = keyof typeof PRUNABLE

/**
 * Throws for a section that the file, or a company whose items would be removed, lacks: it says nothing of them, and
 * removing all of them is hardly meant.
 */
export function requireSections(
  setup: Setup,
  sections: readonly PrunableSection[],
  removed: readonly SetupItem[],
): void {
  const ofFile = sections.filter((section) => section !== 'subscriptions' && setup[section] === undefined)
  const declaring = (setup.companies ?? []).filter(({ subscriptions }) => subscriptions !== undefined)
  const silent = removed
    .filter(({ kind, companyId }) => kind === 'subscription' && !declaring.some(({ id }) => id === companyId))
    .map(({ companyId }) => companyId)
  const missing = [
    ...ofFile.map((section) => ({ place: 'the file', section })),
    ...[...new Set(silent)].map((id) => ({ place: `the company ${id}`, section: 'subscriptions' })),
  ]
  requireNoFault(
    missing.map(({ place, section }) => ({
      place: `${place} has no section ${section}`,
      message: `write '${section}: []' to remove all ${section}`,
    })),
  )
}

/** Throws one error with every removed item that one of those which stay needs. */
export function requireUnneeded(removed: readonly SetupItem[], staying: readonly SetupItem[]): void {
  const faults = removed.flatMap((item) => {
    const place = `${item.kind} ${item.id} cannot be removed`
    return needsOf(item, staying).map((message) => ({ place, message }))
  })
  requireNoFault(faults)
}

function needsOf({ kind, id, definition }: SetupItem, staying: readonly SetupItem[]): string[] {
  const users = definitionsOf<UserDefinition>(staying, 'user')
  if (kind === 'role') {
    const having = users.filter(({ roles = {} }) => Object.values(roles).some((ids) => ids.includes(id)))
    return having.map((user) => `user ${user.id}, who stays, has it`)
  }
  if (kind === 'client') {
    const owned = staying.filter(
      ({ kind, definition }) => kind === 'subscription' && (definition as SubscriptionSetup).client === id,
    )
    return owned.map((item) => `${itemName(item)}, which stays, belongs to it`)
  }
  if (kind !== 'user') return []
  const clients = definitionsOf<ClientDefinition>(staying, 'client').filter(({ user }) => user === id)
  const { issuers } = accessFrom(staying)
  const bound = issuers.filter(
    (issuer) => issuer.issuer === (definition as UserDefinition).issuer && !isBound(issuer, users),
  )
  return [
    ...clients.map((client) => `client ${client.id}, which stays, acts for it`),
    ...bound.map(({ issuer }) => `without it the issuer ${issuer} could name every user; give it companies first`),
  ]
}

const remove = statement<{ companyId: string; userId: string }>('remove_person_settings', (db, p) =>
  db.deleteFrom('person_settings').$call(whereEqual(p, 'companyId', 'userId')),
)

/** What removed people had chosen in the console goes with them: somebody else may get their id later. */
export async function removeSettings(
  setupTx: SetupTx,
  removed: readonly SetupItem[],
  staying: readonly SetupItem[],
): Promise<void> {
  const users = removed.filter(({ kind }) => kind === 'user')
  if (users.length === 0) return
  const companies = staying.filter(({ kind }) => kind === 'company').map(({ companyId }) => companyId)
  for (const companyId of ['', ...companies]) {
    const tx = await setupTx.in(companyId)
    for (const { id } of users) tx.send(remove, { companyId, userId: id })
  }
}
