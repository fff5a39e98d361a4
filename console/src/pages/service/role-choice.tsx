import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { People, Role, Roles } from '../../service/administration.ts'
import { t } from '../../words/words.ts'
import { useRoleWords } from './role-words.tsx'
import classes from './service.module.css'

interface RoleChoiceProps {
  readonly lists: People
  readonly roles: Roles
  readonly onChange: (roles: Roles) => void
}

/** Each role with what it allows, for each company; open are those where there are some. */
export function RoleChoice({ lists, roles, onChange }: RoleChoiceProps) {
  const { companies, roles: known } = lists
  const [before] = useState(roles)
  if (known.length === 0) return <Text size="sm">{t('The setup has no roles.')}</Text>
  const ofCompany = ({ id, name }: People['companies'][number], isOpen: boolean) => (
    <details key={id} open={isOpen} className={classes.roles}>
      <summary>{t('May in {{company}}', { company: name })}</summary>
      <CompanyRoles
        label={name}
        known={known}
        chosen={roles[id] ?? []}
        onChange={(ids) => onChange({ ...roles, [id]: ids })}
      />
    </details>
  )
  const isEmpty = Object.keys(before).length === 0
  return companies.map((company, place) => ofCompany(company, company.id in before || (isEmpty && place === 0)))
}

interface CompanyRolesProps {
  readonly label: string
  readonly known: readonly Role[]
  readonly chosen: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

function CompanyRoles({ label, known, chosen, onChange }: CompanyRolesProps) {
  const wordsOf = useRoleWords()
  const toggle = (id: string, isOn: boolean) => {
    const others = chosen.filter((one) => one !== id)
    onChange(isOn ? [...others, id] : others)
  }
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      {known.map((role) => (
        <Checkbox
          size="sm"
          key={role.id}
          label={role.id}
          description={wordsOf(role)}
          checked={chosen.includes(role.id)}
          onChange={({ currentTarget }) => toggle(role.id, currentTarget.checked)}
        />
      ))}
    </Stack>
  )
}
