import { type CSSVariablesResolver, createTheme, type MantineThemeOverride } from '@mantine/core'

/** Those that a company may have for its accent: of each, shades reach a contrast of 4.5 to 1 on both backgrounds. */
const ACCENTS = new Set(['teal', 'cyan', 'blue', 'indigo', 'violet', 'grape', 'pink'])

/** Calm and dense. Distances are steps of four pixels. */
const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'sm',
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  // Greys with a little blue, darker than those of Mantine: pictures and accents stand out of them.
  colors: {
    dark: [
      '#c9ccd3',
      '#adb1ba',
      '#8f949e',
      '#5d626c',
      '#3a3e46',
      '#2d3037',
      '#24272d',
      '#1a1c21',
      '#131519',
      '#0e0f12',
    ],
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } },
  },
  components: {
    // Inputs of a row stand side by side, whatever is said below them.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Anchor: { defaultProps: { size: 'sm' } },
    Button: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    // Without it, what has the focus in a menu is no item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    NativeSelect: { defaultProps: { size: 'xs' } },
    Text: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'xs' } },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
})

/** The same with the accent of a company. */
export const themeWith = (accent: string | undefined): MantineThemeOverride =>
  accent !== undefined && ACCENTS.has(accent) ? { ...theme, primaryColor: accent } : theme

/** The colour of a button under the mouse: lighter, as Mantine has it, the words on it would be too pale. */
export const variablesOf: CSSVariablesResolver = ({ primaryColor }) => {
  const hover = 'color-mix(in srgb, var(--mantine-primary-color-filled), black 12%)'
  const both = {
    '--mantine-primary-color-filled-hover': hover,
    [`--mantine-color-${primaryColor}-filled-hover`]: hover,
  }
  return { variables: {}, light: both, dark: both }
}
