// What administrators send of people and clients.
import { requiring } from '../../model/record-fields.ts'
import { bool, integer, list, record, text } from '../../model/schema.ts'
import { NewSubscription } from '../../subscriptions/subscription-schema.ts'

export const MAX_ID = 100
export const MAX_NAME = 100
/** A week, for the programs that have the old secret. */
export const MAX_KEEP_HOURS = 168

const Roles = list(
  record(
    {
      companyId: text({ description: 'A company that the administrator administers.' }),
      roles: list(text(), { description: 'Ids of roles of the setup.' }),
    },
    { title: 'RolesInCompany' },
  ),
  { description: 'All that the person or client may, by company.' },
)

const id = (description: string) => text({ minLength: 1, maxLength: MAX_ID, description })
const defaultCompany = text({ description: 'Where requests act that name no company.' })
const disabled = bool({ description: 'Whether passwords, secrets and tokens are answered as wrong ones.' })

export const NewPerson = record(
  {
    id: id('As which the person signs in.'),
    name: text({ maxLength: MAX_NAME, description: 'As people call the person.' }),
    defaultCompany,
    roles: Roles,
    administrator: bool({ description: 'Whether the person administers the service.' }),
  },
  { title: 'NewPerson' },
)

export const ChangedPerson = record(
  {
    name: text({ maxLength: MAX_NAME }),
    defaultCompany,
    roles: Roles,
    administrator: bool(),
    disabled,
  },
  { title: 'ChangedPerson', description: 'What is absent stays as it is.' },
)

export const NewClient = record(
  { id: id('Of the client, and of the user that it acts for. Without a colon.'), defaultCompany, roles: Roles },
  { title: 'NewClient' },
)

export const ChangedClient = record({ disabled }, { title: 'ChangedClient' })

/** As of a subscription that the client makes for itself. */
export const ClientSubscription = requiring(
  ['companyId', 'name', 'url'],
  record(
    {
      companyId: text({ description: 'A company in which the client has a role.' }),
      ...NewSubscription.properties,
    },
    { title: 'ClientSubscription' },
  ),
)

export const NewSecret = record(
  {
    keepHours: integer({
      minimum: 0,
      maximum: MAX_KEEP_HOURS,
      description: 'How long the secret before is accepted as well.',
    }),
  },
  { title: 'NewSecret' },
)
