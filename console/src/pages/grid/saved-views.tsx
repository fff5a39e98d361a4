// Views by name, kept in this browser. A view is its address: whoever has that sees the same.
import { Button, Menu, TextInput } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'

interface SavedViewsProps {
  readonly company: string
  readonly document: string
}

type Saved = Readonly<Record<string, Record<string, unknown>>>

export function SavedViews({ company, document }: SavedViewsProps) {
  const place = `tabularium.views.${company}.${document}`
  const [views, setViews] = useState<Saved>(() => readViews(place))
  const [name, setName] = useState('')
  const { search } = useLocation()
  const navigate = useNavigate()
  const keep = (next: Saved) => {
    localStorage.setItem(place, JSON.stringify(next))
    setViews(next)
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    keep({ ...views, [name.trim()]: search as Record<string, unknown> })
    setName('')
  }
  const names = Object.keys(views)
  return (
    <Menu position="bottom-end" withinPortal={false} width={240} closeOnItemClick>
      <Menu.Target>
        <Button size="xs" variant="default">
          Views
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void navigate({ to: '.', search: {} as never })}>All rows</Menu.Item>
        {names.map((saved) => (
          <Menu.Item key={saved} onClick={() => void navigate({ to: '.', search: views[saved] as never })}>
            <bdi>{saved}</bdi>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <form onSubmit={add}>
          <TextInput
            size="xs"
            m={6}
            label="Save this view as"
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
