import { createTheme } from '@mantine/core'

/** Calm and dense; shades that reach a contrast of 4.5 to 1 on both backgrounds. */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '1rem' } },
  },
  // Inputs of a row stand side by side, whatever is said below them.
  components: { InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
})
