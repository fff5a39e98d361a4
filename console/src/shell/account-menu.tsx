// Who has signed in, and the way out.
import { Menu, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { chosenLanguage, LANGUAGES, showsNames } from '../service/preferences.ts'
import { chooseReading } from '../service/reading.ts'
import { signOut, useSession } from '../service/session.ts'
import { t } from '../words/words.ts'
import classes from './shell.module.css'

export default function AccountMenu({ onKeys }: { readonly onKeys: () => void }) {
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
        <Menu.Item rightSection={<kbd>?</kbd>} onClick={onKeys}>
          {t('Keys')}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>{t('Sign out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function ColourScheme() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return (
    <Menu.Item onClick={() => setColorScheme(isDark ? 'light' : 'dark')} closeMenuOnClick={false}>
      {isDark ? t('Light colours') : t('Dark colours')}
    </Menu.Item>
  )
}

/** In which language the console is read, and whether the names of programs stand beside them. */
function ReadingChoices() {
  const { user } = useSession()
  const chosen = chosenLanguage()
  return (
    <>
      <Menu.Label>{t('Language')}</Menu.Label>
      {Object.entries({ '': t('As the browser'), ...LANGUAGES }).map(([language, name]) => (
        <Menu.Item
          key={language}
          lang={language || undefined}
          rightSection={language === chosen ? '✓' : undefined}
          aria-current={language === chosen || undefined}
          onClick={() => void chooseReading(user, { language })}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => void chooseReading(user, { names: !showsNames() })}>
        {showsNames() ? t('Titles alone') : t('Titles with names')}
      </Menu.Item>
    </>
  )
}
