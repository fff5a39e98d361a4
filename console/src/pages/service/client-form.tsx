import { Button, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ProblemNote } from '../../parts/problem.tsx'
import { type People, type Roles, rolesToSend, useServiceChange } from '../../service/administration.ts'
import { t } from '../../words/words.ts'
import { CompanyField, IdField } from './access-fields.tsx'
import { RoleChoice } from './role-choice.tsx'

interface ClientFormProps {
  readonly lists: People
  readonly onDone: (id: string, secret: string) => void
}

export function ClientForm({ lists, onDone }: ClientFormProps) {
  const [id, setId] = useState('')
  const [company, setCompany] = useState(lists.companies[0]?.id ?? '')
  const [roles, setRoles] = useState<Roles>({})
  const change = useServiceChange(({ secret = '' }) => onDone(id, secret))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({
      method: 'POST',
      path: '/clients',
      body: { id, defaultCompany: company, roles: rolesToSend(roles) },
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <IdField
          label={t('Client id')}
          description={t('Such as bi-tool: what the program signs in with.')}
          value={id}
          onChange={setId}
        />
        <CompanyField
          label={t('Company of requests that name none')}
          companies={lists.companies}
          value={company}
          onChange={setCompany}
        />
        <RoleChoice lists={lists} roles={roles} onChange={setRoles} />
        {change.error && <ProblemNote error={change.error} />}
        <div>
          <Button type="submit" size="xs" loading={change.isPending}>
            {t('Add the client')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
