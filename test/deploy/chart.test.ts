// The Helm chart: its templates rendered, and its values compared with their schema. `test/generators` has the schemas
// of Kubernetes.
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { serveCommand } from '../../src/cli/commands/start.ts'
import { CHART_VALUES, renderChart, SQLITE, TWO_ROLES } from './render-chart.ts'

const isLegal = new Ajv().compile(JSON.parse(readFileSync('deploy/chart/values.schema.json', 'utf8')))

/** The objects of a chart by kind. */
function chart(values = {}) {
  // biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes.
  return Object.fromEntries(renderChart(values).map((one) => [one.kind, one])) as Record<string, any>
}

/** What a container is started with. */
function settingsOf(values = {}) {
  return parse(chart(values).ConfigMap.data['tabularium.yaml'])
}

describe('a pod', () => {
  const pods = { Deployment: chart().Deployment.spec.template, StatefulSet: chart(SQLITE).StatefulSet.spec.template }

  it.each(Object.entries(pods))('of a %s has no rights, a read-only file system and all probes', (_kind, { spec }) => {
    const [container] = spec.containers
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(spec.automountServiceAccountToken).toBe(false)
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.livenessProbe.httpGet.path).toBe('/health/live')
    expect(container.startupProbe.httpGet.path).toBe('/health/live')
    expect(container.readinessProbe.httpGet.path).toBe('/health/ready')
    expect(container.resources).toEqual(CHART_VALUES.resources)
    expect(container.image).toBe('tabularium:1.0.0-rc.1')
  })

  it.each(Object.entries(pods))('of a %s mounts only volumes that it has', (kind, { spec }) => {
    const names = spec.volumes.map(({ name }: { name: string }) => name)
    const claimed = kind === 'StatefulSet' ? ['data'] : []
    const mounted = spec.containers[0].volumeMounts.map(({ name }: { name: string }) => name)
    expect(mounted.toSorted()).toEqual([...names, ...claimed].sort())
  })

  it('is found by the service and the budget', () => {
    const { Deployment, Service, PodDisruptionBudget } = chart()
    expect(Deployment.spec.template.metadata.labels).toMatchObject(Service.spec.selector)
    expect(Deployment.spec.selector).toEqual(PodDisruptionBudget.spec.selector)
  })

  it('is probed below the base path', () => {
    const settings = { files: 's3://records', 'base-path': '/web' }
    const { Deployment, ServiceMonitor } = chart({
      settings,
      serviceMonitor: { enabled: true, interval: '15s', existingSecret: 'metrics' },
    })
    const [container] = Deployment.spec.template.spec.containers
    expect(container.readinessProbe.httpGet.path).toBe('/web/health/ready')
    expect(ServiceMonitor.spec.endpoints[0]).toMatchObject({ path: '/web/metrics', interval: '15s' })
  })

  it('is replaced when a setting changes', () => {
    const hashOf = (values: object) =>
      chart(values).Deployment.spec.template.metadata.annotations['tabularium/settings']
    expect(hashOf({})).toBe(hashOf({}))
    expect(hashOf({ settings: { files: 's3://other' } })).not.toBe(hashOf({}))
    expect(hashOf({ pooled: true })).not.toBe(hashOf({}))
  })
})

it('publishes the service by an ingress, with a certificate, where it is asked for', () => {
  expect(chart()).not.toHaveProperty('Ingress')
  const ingress = { ...(CHART_VALUES.ingress as object), enabled: true, host: 'erp.example.com', className: 'nginx' }
  const { Ingress, Service } = chart({ ingress })
  expect(Ingress.spec).toMatchObject({
    ingressClassName: 'nginx',
    tls: [{ hosts: ['erp.example.com'], secretName: 'tabularium-tls' }],
    rules: [{ host: 'erp.example.com', http: { paths: [{ path: '/', pathType: 'Prefix' }] } }],
  })
  const { service } = Ingress.spec.rules[0].http.paths[0].backend
  expect([service.name, service.port.name]).toEqual([Service.metadata.name, Service.spec.ports[0].name])
  expect(Ingress.metadata.annotations).toEqual({ 'nginx.ingress.kubernetes.io/proxy-body-size': '64m' })
  const settings = { ...(CHART_VALUES.settings as object), 'base-path': '/web' }
  expect(chart({ ingress, settings }).Ingress.spec.rules[0].http.paths[0].path).toBe('/web')
  expect(isLegal({ ...CHART_VALUES, ingress }) || isLegal.errors).toBe(true)
  expect(isLegal({ ...CHART_VALUES, ingress: { ...ingress, host: '' } })).toBe(false)
})

describe('the job of the owner', () => {
  const { Job, Deployment, Service } = chart(TWO_ROLES)
  const { spec, metadata } = Job.spec.template
  const [migrate] = spec.initContainers
  const [setup] = spec.containers

  it('migrates, lets the role of the service in, and applies the setup, before the pods start', () => {
    expect(Job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    expect([migrate.args, setup.args]).toEqual([
      ['migrate', '--grant-to', 'service'],
      ['setup', settingsOf().setup],
    ])
    expect(chart({ ownerSecret: 'tabularium-owner' }).Job.spec.template.spec.initContainers[0].args).toEqual([
      'migrate',
    ])
  })

  it('has the address of the owner, which no pod that serves has', () => {
    const secretsOf = ({ envFrom }: typeof setup) =>
      envFrom.map(({ secretRef }: { secretRef: { name: string } }) => secretRef.name)
    // When two secrets have the same variable, the last one counts.
    for (const container of [migrate, setup])
      expect(secretsOf(container)).toEqual([CHART_VALUES.existingSecret, 'tabularium-owner'])
    expect(secretsOf(Deployment.spec.template.spec.containers[0])).toEqual([CHART_VALUES.existingSecret])
  })

  it('runs the same image with no more rights, and mounts only volumes that it has', () => {
    const pod = Deployment.spec.template.spec
    expect(spec.securityContext).toEqual(pod.securityContext)
    const names = spec.volumes.map(({ name }: { name: string }) => name).sort()
    for (const container of [migrate, setup]) {
      expect(container.image).toBe(pod.containers[0].image)
      expect(container.securityContext).toEqual(pod.containers[0].securityContext)
      expect(container.volumeMounts.map(({ name }: { name: string }) => name).sort()).toEqual(names)
    }
  })

  it('gets no requests', () => {
    expect(metadata.labels).not.toMatchObject(Service.spec.selector)
    expect(metadata.labels).not.toMatchObject(Deployment.spec.selector.matchLabels)
  })
})

it('gives the service its settings as a configuration file', () => {
  expect(settingsOf()).toEqual({
    host: '0.0.0.0',
    port: 8080,
    data: '/data',
    setup: '/etc/tabularium/setup/company.yaml',
    keys: '/etc/tabularium/keys/keys.json',
    ...(CHART_VALUES.settings as object),
  })
  expect(settingsOf(SQLITE)).not.toHaveProperty('keys')
})

it('switches the service to a pooler by one value', () => {
  expect(settingsOf({ ...TWO_ROLES, pooled: true })).toEqual({ ...settingsOf(), pooled: true })
  const taken = serveCommand(process).options.map(({ long }) => long?.slice(2))
  expect(taken).toEqual(expect.arrayContaining(Object.keys(settingsOf({ ...TWO_ROLES, pooled: true }))))
})

describe('the values', () => {
  it.each([
    ['the default ones', {}],
    ['SQLite with one replica', SQLITE],
    ['an owner of its own', TWO_ROLES],
    ['a pooler, with the address of the database itself for the owner', { ownerSecret: 'owner', pooled: true }],
  ])('take %s', (_name, values) => {
    expect(isLegal({ ...CHART_VALUES, ...values }) || isLegal.errors).toBe(true)
  })

  it.each([
    ['SQLite with two replicas', { ...SQLITE, replicas: 2 }],
    ['an unknown database', { database: 'mysql' }],
    ['an unknown value', { replica: 2 }],
    ['PostgreSQL without a secret', { existingSecret: '' }],
    ['PostgreSQL with files in a pod', { settings: { files: '/data/files' } }],
    ['PostgreSQL with keys of each pod', { keysSecret: '' }],
    ['a pooler without an owner, who migrates', { pooled: true }],
    ['a role of the service without an owner', { serviceRole: 'service' }],
    ['an owner of SQLite', { ...SQLITE, ownerSecret: 'owner' }],
    ['a pooler as a setting', { ...TWO_ROLES, settings: { files: 's3://a', pooled: true } }],
    ['a setting that the chart makes', { settings: { files: 's3://a', port: 80 } }],
  ])('refuse %s', (_name, values) => {
    expect(isLegal({ ...CHART_VALUES, ...values })).toBe(false)
  })
})
