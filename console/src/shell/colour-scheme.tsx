import { Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'

export function ColourScheme() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return (
    <Menu.Item onClick={() => setColorScheme(isDark ? 'light' : 'dark')} closeMenuOnClick={false}>
      {isDark ? 'Light colours' : 'Dark colours'}
    </Menu.Item>
  )
}
