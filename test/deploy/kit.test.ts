// The composition, the unit and the samples of proxies: parsed, and compared with what the program takes.
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { serveCommand } from '../../src/cli/commands/start.ts'
import { freePort } from '../support/free-port.ts'
import { kill, listening, SETUP, start, temporaryFolder } from '../support/process.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
const { options } = serveCommand(process)
const variables = options.map(({ envVar }) => envVar)
const textOf = (name: string) => readFileSync(join('deploy', name), 'utf8')

describe('The composition', () => {
  const text = textOf('compose.yaml')
  const { services, networks, volumes, configs } = parse(text)
  // biome-ignore lint/suspicious/noExplicitAny: services as they are written; the tests check them.
  const all = Object.entries(services) as [string, Record<string, any>][]

  it('names no network, volume, configuration, service or health that is not there', () => {
    for (const [name, service] of all) {
      expect(Object.keys(networks), name).toEqual(expect.arrayContaining(service.networks))
      for (const { source } of service.configs ?? []) expect(Object.keys(configs), name).toContain(source)
      for (const mount of service.volumes ?? []) {
        const [from] = mount.split(':')
        if (from.startsWith('.')) expect(['./company.yaml', './proxies/Caddyfile']).toContain(from)
        else expect(Object.keys(volumes), name).toContain(from)
      }
      const needed: [string, { condition?: string }][] = Array.isArray(service.depends_on)
        ? service.depends_on.map((one: string) => [one, {}])
        : Object.entries(service.depends_on ?? {})
      for (const [other, { condition }] of needed) {
        expect(Object.keys(services)).toContain(other)
        // The image of the service has a health check of its own.
        if (condition === 'service_healthy' && other !== 'tabularium') expect(services[other].healthcheck).toBeDefined()
      }
    }
  })

  it('sets only what the program takes', () => {
    for (const { environment } of [services.tabularium, services.migration]) {
      const set = Object.keys(environment).filter((name) => name.startsWith('TABULARIUM_'))
      expect(variables).toEqual(expect.arrayContaining(set))
    }
  })

  it('gives the variables of a setup to whoever reads it, and needs none', () => {
    for (const service of [services.tabularium, services.migration])
      expect(service.env_file).toEqual([{ path: 'secrets.env', required: false }])
  })

  it('migrates and sets up as the owner of the tables, as the page about PostgreSQL does, before a role without ownership serves', () => {
    const { migration, tabularium } = services
    const roleOf = ({ environment }: typeof migration) => new URL(environment.TABULARIUM_DATABASE).username
    expect([roleOf(migration), roleOf(tabularium)]).toEqual(['app', 'service'])
    expect(migration.environment.PGPASSWORD).toMatch(/^\$\{APP_PASSWORD:/)
    expect(tabularium.environment.PGPASSWORD).toMatch(/^\$\{SERVICE_PASSWORD:/)
    const [script] = migration.command
    expect(script.trim().split('\n')).toEqual([
      'node bin/tabularium.js migrate --grant-to service',
      'node bin/tabularium.js setup /etc/tabularium/company.yaml',
    ])
    expect(tabularium.environment.TABULARIUM_SETUP).toBe('/etc/tabularium/company.yaml')
    expect(migration.volumes).toEqual(tabularium.volumes.filter((mount: string) => mount.includes('company.yaml')))
    expect(tabularium.depends_on.migration).toEqual({ condition: 'service_completed_successfully' })
    expect(migration.image).toEqual(tabularium.image)
  })

  it('says in its head which variables it needs, and has no secret', () => {
    const [head = ''] = text.split('\nname:')
    const needed = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name))
    expect([...needed].sort()).toEqual([
      'APP_PASSWORD',
      'POSTGRES_PASSWORD',
      'S3_KEY',
      'S3_SECRET',
      'SERVICE_PASSWORD',
      'SITE',
    ])
    for (const name of needed) expect(head).toContain(`${name}=`)
  })

  it('makes the roles and the database as the page about PostgreSQL does', () => {
    const page = readFileSync('guides/administration/postgresql.md', 'utf8')
    const statements = configs.roles.content.match(/^(create|revoke|grant).*;$/gm) as string[]
    expect(statements).toHaveLength(5)
    for (const statement of statements) expect(page).toContain(statement.replace(/:'\w+'/, "'secret'"))
  })

  it('trusts the network of its proxy, and nobody outside reaches the others', () => {
    expect(services.tabularium.environment.TABULARIUM_TRUST_PROXY).toBe(networks.front.ipam.config[0].subnet)
    expect(all.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(['proxy'])
    expect(networks.back.internal).toBe(true)
  })
})

describe('The unit', () => {
  const unit = textOf('tabularium.service')

  it('is one that systemd takes', () => {
    const file = join(folder.path, 'tabularium.service')
    // The program is not installed here.
    writeFileSync(file, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
    // A machine without systemd cannot tell.
    if (!error) expect([status, stderr.split('\n').filter((line) => line.includes('tabularium'))]).toEqual([0, []])
    for (const name of ['DynamicUser=yes', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=\n']) {
      expect(unit).toContain(name)
    }
  })

  it('lets the service read the setup, which holds hashes of secrets, and nobody else', () => {
    const page = readFileSync('guides/administration/production.md', 'utf8')
    const [, group = ''] = /^SupplementaryGroups=(\S+)$/m.exec(unit) ?? []
    for (const text of [unit, page]) {
      expect(text).toContain(`groupadd --system ${group}\n`)
      const installed = text.match(/install .*company\.yaml.*/g) ?? []
      expect(installed).toEqual([`install -m 640 -g ${group} company.yaml -t /etc/tabularium/`])
    }
  })

  it('starts a service by the configuration file beside it, which ends with status 0', async () => {
    const [, ...args] = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? []
    const config = join(folder.path, 'tabularium.yaml')
    copyFileSync(SETUP, join(folder.path, 'company.yaml'))
    const text = textOf('tabularium.yaml')
    const moved = text.replaceAll(/\/(etc|var\/lib)\/tabularium/g, folder.path)
    writeFileSync(config, moved.replace('port: 8080', `port: ${await freePort()}`))
    const running = await listening(start(args.map((one) => (one.endsWith('.yaml') ? config : one))))
    try {
      expect((await fetch(`${running.address}/health/ready`)).status).toBe(200)
      running.child.kill('SIGTERM')
      expect((await running.ended).code).toBe(0)
    } finally {
      await kill(running)
    }
  })
})

describe('The samples of proxies', () => {
  /** Above what the service takes: 50 MiB in base64. */
  const BODY = /(?:max_size|client_max_body_size) 72m/i

  it.each(['Caddyfile', 'nginx.conf'])(
    '%s takes the largest body, keeps connections, and hides the metrics',
    (name) => {
      const text = textOf(`proxies/${name}`)
      expect(text).toMatch(BODY)
      expect(text).toMatch(/keepalive(?:_timeout)? 60s/)
      expect(text).toMatch(/\/metrics\*? \{\s+(?:respond|return) 404/)
      expect(text).toContain('--trust-proxy')
      expect(text.match(/\{/g)).toHaveLength(text.match(/\}/g)?.length ?? 0)
    },
  )

  it('traefik has routes and a service that are there', () => {
    const { http } = parse(textOf('proxies/traefik-routes.yaml'))
    const { entryPoints, certificatesResolvers } = parse(textOf('proxies/traefik.yaml'))
    const { tabularium } = http.routers
    expect(Object.keys(http.services)).toContain(tabularium.service)
    expect(Object.keys(entryPoints)).toEqual(expect.arrayContaining(tabularium.entryPoints))
    expect(Object.keys(certificatesResolvers)).toContain(tabularium.tls.certResolver)
    expect(Object.keys(http.serversTransports)).toContain(http.services.tabularium.loadBalancer.serversTransport)
  })

  it.each([['caddy', ['adapt', '--validate', '--config', 'deploy/proxies/Caddyfile'], { SITE: 'localhost' }]])(
    '%s takes its own, where it is installed',
    async (program, args, environment) => {
      const answered = await run(program, args, { env: { ...process.env, ...environment } }).catch((error) => error)
      if (answered.code !== 'ENOENT') expect(answered.code, answered.stderr).toBeUndefined()
    },
  )
})

it('names in every file only flags that there are', () => {
  const flags = options.map(({ long }) => long)
  for (const name of [
    'compose.yaml',
    'tabularium.service',
    ...readdirSync('deploy/proxies').map((one) => `proxies/${one}`),
  ]) {
    for (const [flag] of textOf(name).matchAll(/--(?:trust-proxy|base-path|shutdown-grace|config)\b/g)) {
      expect([...flags, '--config'], name).toContain(flag)
    }
  }
})
