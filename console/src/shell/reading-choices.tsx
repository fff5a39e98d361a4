import { Menu } from '@mantine/core'
import { chooseLanguage, chooseNames, chosenLanguage, LANGUAGES, showsNames } from '../service/preferences.ts'

const CHOICES = Object.entries({ '': 'As the browser', ...LANGUAGES })

/** In which language titles are read, and whether the names of programs stand beside them. */
export function ReadingChoices() {
  const chosen = chosenLanguage()
  return (
    <>
      <Menu.Label>Titles</Menu.Label>
      {CHOICES.map(([language, name]) => (
        <Menu.Item
          key={language}
          lang={language || undefined}
          rightSection={language === chosen ? '✓' : undefined}
          aria-current={language === chosen || undefined}
          onClick={() => chooseLanguage(language)}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => chooseNames(!showsNames())}>
        {showsNames() ? 'Titles alone' : 'Titles with names'}
      </Menu.Item>
    </>
  )
}
