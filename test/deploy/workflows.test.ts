// The workflows name scripts, files and settings of the project that are there.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

interface Step {
  readonly run?: string
  readonly uses?: string
}
interface Workflow {
  readonly permissions: object
  readonly jobs: Readonly<Record<string, Job>>
}
interface Job {
  readonly needs?: string
  readonly permissions?: object
  readonly steps: readonly Step[]
}

const FILE = /(?<=^|[\s="])(\.?[\w-]+(?:\/[\w.-]+)+|[\w-]+\.(?:md|json))(?=$|[\s"])/g
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

it.each(['ci', 'release'])('%s runs what is there, with no more rights than it needs', (name) => {
  const workflow = parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8')) as Workflow
  expect(workflow.permissions).toEqual({ contents: 'read' })
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)
  expect(steps.some(({ run }) => run === '.ci/run')).toBe(true)
  for (const { run = '', uses } of steps) {
    for (const [, script = ''] of run.matchAll(/npm run (?:-s )?([\w:]+)/g)) expect(scripts).toHaveProperty(script)
    for (const [file] of run.matchAll(FILE)) if (!file.startsWith('/')) expect(existsSync(file), file).toBe(true)
    if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/)
  }
})

it('publishes the files of the release with their provenance, and only after the tests', () => {
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as Workflow
  const { permissions, needs, steps = [] } = jobs.publish ?? {}
  expect(needs).toBe('test')
  expect(permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' })
  expect(steps.some(({ uses }) => /^actions\/attest-build-provenance@/.test(uses ?? ''))).toBe(true)
  expect(steps.at(-1)?.run).toContain('--provenance')
  expect(jobs.test?.permissions).toBeUndefined()
})
