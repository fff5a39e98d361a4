// Commands while the service runs: they print, write and end as if it did not run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { onEachService } from '../../support/administered.ts'
import { call, linesOf, SETUP } from '../../support/process.ts'
import { CLIENT_SECRET } from '../../support/world.ts'

onEachService('a command beside the service', (service) => {
  it('setup prints the same as without a service, and its secrets are those of the one who runs it', async () => {
    const text = readFileSync(SETUP, 'utf8').replaceAll('TEST_CLIENT_SECRET', 'SECRET_OF_THE_CALLER')
    const file = service().write('named.yaml', text)
    const missing = await service().command(['setup', file])
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringMatching(/named\.yaml:\d+:\d+ .*SECRET_OF_THE_CALLER is not set/),
    ])
    const environment = { SECRET_OF_THE_CALLER: CLIENT_SECRET }
    const preview = await service().command(['setup', file, '--dry-run'], { environment })
    expect([preview.code, preview.stderr]).toEqual([0, ''])
    expect(preview.stdout).toMatch(/^0 created, /m)
  })

  it('import writes the rejected rows beside its input, and export the records where it is told', async () => {
    const input = service().write('places.csv', 'attributeId,attributeValue,description\nC6,TROMSO,Tromsø\nC6,,none\n')
    const imported = await service().command(['import', 'attribute-values', input, '--company', 'EN'])
    expect([imported.code, imported.stderr]).toEqual([1, ''])
    expect(imported.stdout).toMatch(/^1 row imported, 1 rejected/)
    expect(readFileSync(`${input}.rejects.csv`, 'utf8')).toMatch(/^#line,#message,.*\r?\n3,/)
    expect((await call(`${service().address}/v1/attribute-values/C6/TROMSO/0`)).status).toBe(200)

    const output = join(service().folder.path, 'places.ndjson')
    const filter = ['--filter', "attributeValue eq 'TROMSO'", '--select', 'description', '--company', 'EN']
    const toFile = await service().command(['export', 'attribute-values', output, ...filter])
    expect([toFile.code, toFile.stdout, toFile.stderr]).toEqual([0, '', expect.stringMatching(/^change number \d+\n$/)])
    expect(readFileSync(output, 'utf8')).toBe('{"description":"Tromsø"}\n')
    const toOutput = await service().command(['export', 'attribute-values', ...filter])
    expect([toOutput.code, toOutput.stdout]).toEqual([0, readFileSync(output, 'utf8')])
    const nowhere = join(service().folder.path, 'none/places.ndjson')
    const unwritten = await service().command(['export', 'attribute-values', nowhere, ...filter])
    expect([unwritten.code, linesOf(unwritten.stderr).at(-1)]).toEqual([
      1,
      expect.stringContaining('ENOENT: no such file or directory'),
    ])
  })

  it('erases what no request finds any more', async () => {
    const input = service().write('erased.csv', 'attributeId,attributeValue,description\nC6,PERSONAL,One\n')
    expect((await service().command(['import', 'attribute-values', input, '--company', 'EN'])).code).toBe(0)
    const status = async () => (await call(`${service().address}/v1/attribute-values/C6/PERSONAL/0`)).status
    expect(await status()).toBe(200)
    const subject = ['C6', 'PERSONAL', '--company', 'EN', '--reason', 'asked']
    expect(await service().command(['erase', 'value', ...subject])).toMatchObject({ code: 0, stderr: '' })
    expect(await status()).toBe(404)
  })

  it('files check, and a wrong name, answer like without a service', async () => {
    const checked = await service().command(['files', 'check'])
    expect([checked.code, checked.stderr]).toEqual([0, ''])
    expect(checked.stdout).toBe('0 files read: 0 missing, 0 damaged; 0 unreferenced\n')
    const wrong = await service().command(['export', 'attribute-value', '--company', 'EN'])
    expect([wrong.code, wrong.stdout, linesOf(wrong.stderr)]).toEqual([
      2,
      '',
      [expect.stringMatching(/no document attribute-value; did you mean 'attribute-values'/)],
    ])
  })

  it('works again after the service was killed, and without it', async () => {
    service().serving.child.kill('SIGKILL')
    await service().serving.ended
    const list = ['export', 'attribute-values', '--company', 'EN', '--select', 'attributeValue']
    const alone = await service().command(list)
    expect([alone.code, alone.stderr]).toEqual([0, expect.stringMatching(/^change number \d+\n$/)])
    await service().restart()
    const beside = await service().command(list)
    expect([beside.code, beside.stdout, beside.stderr]).toEqual([0, alone.stdout, alone.stderr])
  })
})
