// The typed client of Tabularium.
export { VERSION } from './version.ts'
