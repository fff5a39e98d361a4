import { describe, expect, it } from 'vitest'
import { readS3Address } from './s3-address.ts'

const PLAIN = {
  bucket: 'papers',
  prefix: '',
  region: 'us-east-1',
  endpoint: undefined,
  isPathStyle: false,
  checksum: 'sha256',
}
const LOCAL = 'http://127.0.0.1:9000'

describe('the address of a bucket', () => {
  it.each([
    ['s3://papers', {}, PLAIN],
    ['s3://papers/', {}, PLAIN],
    ['S3://papers/a/b%20c//', {}, { ...PLAIN, prefix: 'a/b c/' }],
    ['s3://papers?region=eu-central-1', { AWS_REGION: 'x' }, { ...PLAIN, region: 'eu-central-1' }],
    ['s3://papers', { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'x' }, { ...PLAIN, region: 'eu-west-1' }],
    ['s3://papers', { AWS_DEFAULT_REGION: 'eu-west-1' }, { ...PLAIN, region: 'eu-west-1' }],
    [`s3://papers/?endpoint=${LOCAL}`, {}, { ...PLAIN, endpoint: LOCAL, isPathStyle: true }],
    [`s3://papers/?endpoint=${LOCAL}&path-style=false`, {}, { ...PLAIN, endpoint: LOCAL }],
    ['s3://papers?path-style=true', {}, { ...PLAIN, isPathStyle: true }],
    ['s3://papers?checksum=md5', {}, { ...PLAIN, checksum: 'md5' }],
    ['s3://papers', { AWS_ENDPOINT_URL: LOCAL }, { ...PLAIN, endpoint: LOCAL, isPathStyle: true }],
    [
      's3://papers',
      { AWS_ENDPOINT_URL_S3: LOCAL, AWS_ENDPOINT_URL: 'http://x' },
      { ...PLAIN, endpoint: LOCAL, isPathStyle: true },
    ],
  ])('%s with %j is read', (text, environment, address) => {
    expect(readS3Address(text, environment)).toEqual(address)
  })

  it.each([
    ['s3:', 'it is not s3://bucket'],
    ['s3:///prefix', 'it is not s3://bucket'],
    ['http://papers', 'it is not s3://bucket'],
    ['papers', 'it is not a URL'],
    ['s3://key:secret-of-mine@papers', 'it holds credentials; set AWS_ACCESS_KEY_ID instead'],
    ['s3://papers?secret-of-mine=1', 'it has an unknown parameter; legal are endpoint, region, path-style, checksum'],
    ['s3://papers?path-style=yes', 'path-style is neither true nor false'],
    ['s3://papers?checksum=crc', 'checksum is neither sha256 nor md5'],
    ['s3://papers/%ff', 'its prefix cannot be read'],
    ['s3://papers?endpoint=127.0.0.1:9000', 'its endpoint is not an http or https address'],
    ['s3://papers?endpoint=http://key:secret-of-mine@host', 'its endpoint holds credentials'],
  ])('%s is refused', (text, reason) => {
    expect(() => readS3Address(text, {})).toThrow(new Error(`the s3 address of the file store is wrong: ${reason}`))
  })
})
