// The location of the files, by one setting.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openFileStore } from '../../../src/files/open-file-store.ts'
import { S3_ENVIRONMENT, startS3 } from '../../support/s3.ts'

const MODULE = pathToFileURL(join(import.meta.dirname, '../../../src/files/open-file-store.ts')).href

describe('opening the file store', () => {
  let data: string
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'tabularium-open-'))
  })
  afterEach(() => {
    rmSync(data, { recursive: true, force: true })
    vi.unstubAllEnvs()
  })

  const keepOne = async (files: string | undefined): Promise<string> => {
    const { store, staging } = await openFileStore({ files, data })
    const staged = await staging.take(Readable.from([Buffer.from('text')]), 10)
    await store.put('en', staged)
    expect(await Array.fromAsync(store.list())).toMatchObject([{ hash: staged.hash }])
    await store.close()
    return staged.path
  }

  it('uses a folder in the data folder by default', async () => {
    expect(await keepOne(undefined)).toContain(join(data, 'files', 'staging'))
    expect(existsSync(join(data, 'files', 'company-en'))).toBe(true)
  })

  it('uses the given folder, and stages there, too', async () => {
    const elsewhere = join(data, 'deep', 'elsewhere')
    expect(await keepOne(elsewhere)).toContain(join(elsewhere, 'staging'))
    expect(existsSync(join(data, 'files'))).toBe(false)
  })

  it('uses a bucket, and stages in the data folder', async () => {
    const service = await startS3()
    for (const [name, value] of Object.entries(S3_ENVIRONMENT)) vi.stubEnv(name, value)
    expect(await keepOne(service.url())).toContain(join(data, 'files', 'staging'))
    expect(existsSync(join(data, 'files', 'company-en'))).toBe(false)
    await service.stop()
  })

  it('creates no folder for an invalid address', async () => {
    await expect(openFileStore({ files: 's3:/papers', data })).rejects.toThrow('it is not s3://bucket')
  })

  it('does not load what only buckets need', () => {
    const program = `
      import { registerHooks } from 'node:module'
      registerHooks({ load(url, context, next) { if (url.includes('/@aws-sdk/')) console.log(url); return next(url, context) } })
      const { openFileStore } = await import(${JSON.stringify(MODULE)})
      await openFileStore({ files: undefined, data: ${JSON.stringify(data)} })
      console.log('opened')`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
    expect(stdout).toBe('opened\n')
  })
})
