// Views by name, kept in this browser. A view is its address: whoever has that sees the same.
import { Button, CloseButton, Menu, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { t } from '../../words/words.ts'
import { searchOf, type View } from './view.ts'

interface SavedViewsProps {
  readonly company: string
  readonly document: string
  readonly view: View
  readonly onReset: () => void
}

type Saved = Readonly<Record<string, Record<string, unknown>>>

export function SavedViews({ company, document, view, onReset }: SavedViewsProps) {
  const place = `tabularium.views.${company}.${document}`
  const [views, setViews] = useState<Saved>(() => readViews(place))
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const keep = (next: Saved) => {
    localStorage.setItem(place, JSON.stringify(next))
    setViews(next)
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    keep({ ...views, [name.trim()]: searchOf(view) })
    setName('')
  }
  const remove = (one: string) => {
    const { [one]: _removed, ...others } = views
    keep(others)
  }
  return (
    <Menu position="bottom-end" withinPortal={false} width={240} closeOnItemClick>
      <Menu.Target>
        <Button size="xs" variant="default">
          {t('Views')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onReset}>{t('All rows')}</Menu.Item>
        {Object.entries(views).map(([saved, search]) => (
          <Menu.Item
            key={saved}
            onClick={() => void navigate({ to: '.', search: search as never })}
            rightSection={<CloseButton component="span" size="xs" onClick={() => remove(saved)} />}
          >
            <bdi>{saved}</bdi>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <form onSubmit={add}>
          <TextInput
            size="xs"
            m={6}
            label={t('Save this view as')}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            onKeyDown={(event) => event.stopPropagation()}
          />
        </form>
      </Menu.Dropdown>
    </Menu>
  )
}

function readViews(place: string): Saved {
  try {
    return (JSON.parse(localStorage.getItem(place) ?? '{}') ?? {}) as Saved
  } catch {
    return {}
  }
}
