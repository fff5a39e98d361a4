// Who has signed in, and the way out.
import { Menu, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { signOut, useSession } from '../service/session.ts'
import { t } from '../words/words.ts'
import { ColourScheme } from './colour-scheme.tsx'
import { ReadingChoices } from './reading-choices.tsx'
import classes from './shell.module.css'

export default function AccountMenu() {
  const { user, name } = useSession()
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={classes.account} aria-label={t('Account of {{name}}', { name: name ?? user })}>
          {(name ?? user).slice(0, 1).toUpperCase()}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <bdi>{name ?? user}</bdi>
        </Menu.Label>
        <Menu.Item component={Link} to="/account">
          {t('Sessions')}
        </Menu.Item>
        <ColourScheme />
        <ReadingChoices />
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{t('Sign out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
