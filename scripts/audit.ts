// Fails when a package that ships has a known hole of high severity: the libraries in the bundle, and what is installed
// beside it. Run after `npm run build`.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface Report {
  readonly vulnerabilities?: Readonly<Record<string, { severity: string }>>
}

const bundled = [...readFileSync('dist/LICENSES.md', 'utf8').matchAll(/^# (\S+) \d/gm)].map(([, name]) => name)
const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const shipped = new Set([...bundled, ...Object.keys(optionalDependencies), 'pdfjs-dist'])

const { vulnerabilities } = JSON.parse(spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' }).stdout) as Report
if (!vulnerabilities) console.log('npm audit: the registry does not answer it')
const found = Object.entries(vulnerabilities ?? {})
  .filter(([name, { severity }]) => shipped.has(name) && ['high', 'critical'].includes(severity))
  .map(([name, { severity }]) => `${name}: ${severity}`)
if (found.length > 0) throw new Error(`known holes in what ships: ${found.join(', ')} (npm audit)`)
