import { Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { t } from '../words/words.ts'

export function ColourScheme() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return (
    <Menu.Item onClick={() => setColorScheme(isDark ? 'light' : 'dark')} closeMenuOnClick={false}>
      {isDark ? t('Light colours') : t('Dark colours')}
    </Menu.Item>
  )
}
