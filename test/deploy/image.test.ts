// The image, without a container: the Dockerfile is parsed, and its steps are taken in a folder of their own, where the
// paths of the image are folders.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Copy, DockerfileParser, type Instruction, type JSONInstruction } from 'dockerfile-ast'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SOURCES as CONSOLE_SOURCES } from '../../console/build.ts'
import { SOURCES as GUIDES_SOURCES } from '../../guides/build.ts'
import { freePort } from '../support/free-port.ts'
import { IS_FULL } from '../support/reliability-test.ts'

const run = promisify(execFile)
const dockerfile = DockerfileParser.parse(readFileSync('deploy/Dockerfile', 'utf8'))
const instructions = dockerfile.getInstructions()
const root = mkdtempSync(join(tmpdir(), 'tabularium-image-'))

/** The folders that the steps name. */
const IMAGE_PATH = /(?<=^|[\s=@"])\/(?=(?:source|package|libraries|app|data|tmp|none)\b)/g
/** What the build context leaves out, as glob patterns. */
const ignored = readFileSync('deploy/Dockerfile.dockerignore', 'utf8').split('\n')
const allowed = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))

/** The programs of `prepack`, and what each reads. Building the program begins when it is imported. */
const BUILT_OF: Record<string, readonly string[]> = {
  'console/build.ts': CONSOLE_SOURCES,
  'guides/build.ts': GUIDES_SOURCES,
  'scripts/bundle.ts': ['src/**/*', 'package.json'],
}

const inFolder = (text: string) => text.replace(IMAGE_PATH, `${root}/`)
const argumentsOf = (instruction: Instruction) => instruction.getArgumentsContent() ?? ''
const wordsOf = (keyword: string) =>
  instructions
    .filter((one) => one.getKeyword() === keyword)
    .at(-1)
    ?.getArguments()
    .map((one) => one.getValue()) ?? []

const environment: Record<string, string> = {}

/** Copies what the build context has of a path. */
function copyContext(path: string, target: string): void {
  for (const name of path === '.' ? allowed : [path]) {
    const to = path === '.' ? join(target, name) : target
    cpSync(name, to.endsWith('/') ? join(to, name) : to, {
      recursive: true,
      filter: (file) => !/node_modules|\.test\.ts$|\.vitepress\/cache/.test(file),
    })
  }
}

function copy(instruction: Copy, folder: string): void {
  const paths = instruction.getArguments().map((one) => one.getValue())
  const target = inFolder(paths.at(-1) ?? '').replace(/^\.\//, `${folder}/`)
  const from = instruction.getFlags().some((flag) => flag.getName() === 'from')
  for (const path of paths.slice(0, -1)) {
    if (from) cpSync(inFolder(path), target.startsWith('/') ? target : join(folder, target), { recursive: true })
    else copyContext(path, target.startsWith('/') ? target : join(folder, target))
  }
}

/** The stage that is built gets the packages of this checkout: installing them again takes most of a minute. */
async function step(instruction: Instruction, folder: string): Promise<void> {
  const command = inFolder(argumentsOf(instruction)).replaceAll(
    'node:node',
    `${process.getuid?.()}:${process.getgid?.()}`,
  )
  if (folder.endsWith('/source') && command.startsWith('npm ci')) {
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  } else await run('sh', ['-c', command], { cwd: folder, env: { ...process.env, ...environment, COMMIT: 'abc1234' } })
}

/** Takes the steps in their order. */
async function build(): Promise<void> {
  let folder = root
  mkdirSync(join(root, 'tmp'))
  for (const instruction of instructions) {
    const keyword = instruction.getKeyword()
    if (keyword === 'FROM') folder = root
    if (keyword === 'WORKDIR') {
      folder = inFolder(argumentsOf(instruction))
      mkdirSync(folder, { recursive: true })
    }
    if (keyword === 'COPY') copy(instruction as Copy, folder)
    if (keyword === 'RUN') await step(instruction, folder)
    if (keyword === 'ENV') {
      for (const pair of argumentsOf(instruction).split(' ')) {
        const [name = '', value = ''] = pair.split('=')
        environment[name] = inFolder(value)
      }
    }
  }
}

afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('The Dockerfile', () => {
  it('has stages of the Node.js that the program needs, and ends as an ordinary user', () => {
    const needed = JSON.parse(readFileSync('package.json', 'utf8')).engines.node.replace('>=', '')
    const bases = instructions.filter((one) => one.getKeyword() === 'FROM').map(argumentsOf)
    expect(bases).toHaveLength(3)
    for (const base of bases) expect(base).toMatch(new RegExp(`^node:${needed}-`))
    expect(wordsOf('USER')).toEqual(['1000:1000'])
    expect(wordsOf('VOLUME')).toEqual(['/data'])
    expect(wordsOf('ENV')).toContain('TABULARIUM_HOST=0.0.0.0')
  })

  it('has no step that Docker does not know, and takes nothing from elsewhere', () => {
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ARG', 'LABEL', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK']
    expect([...known, 'ENTRYPOINT', 'CMD']).toEqual(expect.arrayContaining(instructions.map((one) => one.getKeyword())))
  })

  it('starts the program without a shell, which would keep signals to itself', () => {
    for (const keyword of ['ENTRYPOINT', 'CMD']) {
      const instruction = instructions.findLast((one) => one.getKeyword() === keyword) as JSONInstruction
      expect(instruction.getOpeningBracket()).not.toBeNull()
    }
  })

  it('has a build context with all that the package is built of', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const built = [...scripts.prepack.matchAll(/npm run -s (\w+)/g)].map(([, name]) =>
      scripts[name].replace('node ', ''),
    )
    expect(built.sort()).toEqual(Object.keys(BUILT_OF).sort())
    const needed = [...built, ...Object.values(BUILT_OF).flat()].flatMap((pattern) => globSync(pattern))
    const missing = needed.filter((file) => !allowed.some((name) => file === name || file.startsWith(`${name}/`)))
    expect(missing).toEqual([])
  })

  it('has a build context in which all is there', () => {
    for (const name of allowed) expect(existsSync(name), name).toBe(true)
    const outside = globSync('{data,test,bench,.git,.env}', { cwd: '.' }).filter((name) => allowed.includes(name))
    expect(outside).toEqual([])
  })
})

/** Half a minute of two cores: a part of `npm run test:reliability`. */
describe.runIf(IS_FULL)('The image', () => {
  beforeAll(build, 240_000)

  const jsonOf = (keyword: string): string[] => {
    const instruction = instructions.findLast((one) => one.getKeyword() === keyword)
    return JSON.parse(inFolder(/\[.*\]$/.exec(argumentsOf(instruction as Instruction))?.[0] ?? '[]'))
  }

  it('has the program, the libraries with compiled parts, and no tools of development', () => {
    const app = join(root, 'app')
    expect(existsSync(join(app, 'dist/guides/index.html.br'))).toBe(true)
    expect(readFileSync(join(app, 'dist/commit'), 'utf8')).toBe('abc1234\n')
    const libraries = globSync('{sharp,@napi-rs/canvas,vitest,typescript}', { cwd: join(app, 'node_modules') })
    expect(libraries.sort()).toEqual(['@napi-rs/canvas', 'sharp'])
    expect(dirname(jsonOf('ENTRYPOINT')[1] ?? '')).toBe(join(app, 'bin'))
  })

  it('is healthy while it serves, and unhealthy afterwards', async () => {
    const [, ...program] = [...jsonOf('ENTRYPOINT'), ...jsonOf('CMD')]
    const local = { TABULARIUM_HOST: '127.0.0.1', TABULARIUM_PORT: String(await freePort()) }
    const env = { ...process.env, ...environment, ...local }
    const service = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    const isHealthy = async () => {
      const [, ...check] = jsonOf('HEALTHCHECK')
      return run(process.execPath, check, { env }).then(
        () => true,
        () => false,
      )
    }
    try {
      await once(service.stdout, 'data')
      expect(await isHealthy()).toBe(true)
    } finally {
      service.kill('SIGTERM')
      await once(service, 'exit')
    }
    expect(service.exitCode).toBe(0)
    expect(await isHealthy()).toBe(false)
  })
})
