// The default theme without its fonts: those of the system are there already.
import theme from 'vitepress/theme-without-fonts'

export default theme
