// Prints the parts of a release with their licences, as CycloneDX: the libraries in the bundle, those beside it, and
// Node.js. The same parts give the same bytes: there is no time and no random number in it. Run after `npm run build`.
import { readFileSync } from 'node:fs'

interface Locked {
  readonly version: string
  readonly license?: string
  readonly dependencies?: object
  readonly optionalDependencies?: object
}

const { name, version, license, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }

const HEADING = /^# (\S+) (\d\S*) \((.*)\)$/gm
const parts = new Map<string, object>()

function add(part: string, partVersion: string, partLicense: string): void {
  const purl = `pkg:npm/${part.replace('@', '%40')}@${partVersion}`
  const licenses = [{ expression: partLicense }]
  parts.set(purl, { type: 'library', 'bom-ref': purl, name: part, version: partVersion, purl, licenses })
}

/** With all that it needs. */
function addLocked(part: string): void {
  const locked = packages[`node_modules/${part}`]
  if (!locked) return
  add(part, locked.version, locked.license ?? 'NOASSERTION')
  for (const needed of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })) addLocked(needed)
}

for (const [, part = '', partVersion = '', partLicense = ''] of readFileSync('dist/LICENSES.md', 'utf8').matchAll(
  HEADING,
))
  add(part, partVersion, partLicense)
for (const part of ['node', 'pdfjs-dist', ...Object.keys(optionalDependencies)]) addLocked(part)

const component = { type: 'application', name, version, licenses: [{ license: { id: license } }] }
const components = [...parts.keys()].sort().map((purl) => parts.get(purl))
console.log(
  JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', metadata: { component }, components }, null, 2),
)
