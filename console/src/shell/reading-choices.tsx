import { Menu } from '@mantine/core'
import { chosenLanguage, LANGUAGES, showsNames } from '../service/preferences.ts'
import { chooseReading } from '../service/reading.ts'
import { useSession } from '../service/session.ts'
import { t } from '../words/words.ts'

/** In which language the console is read, and whether the names of programs stand beside them. */
export function ReadingChoices() {
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
