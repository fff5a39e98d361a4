import { describe, expect, it } from 'vitest'
import { withoutSecrets } from './without-secrets.ts'

describe('withoutSecrets', () => {
  it.each([
    ['connect to postgres://app:canary@db:5432/records', 'connect to postgres://app:***@db:5432/records'],
    ['postgres://app:can:ary@db', 'postgres://app:***@db'],
    ['Authorization: Bearer abc.def-123', 'Authorization: Bearer ***'],
    ['basic aW50ZWdyYXRpb246c2VjcmV0', 'basic ***'],
    ['token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln is wrong', 'token *** is wrong'],
    ['client_secret=canary&grant_type=x', 'client_secret=***&grant_type=x'],
    [`{"password": "canary", "user": "app"}`, `{"password": "***", "user": "app"}`],
    ['the disk is nearly full', 'the disk is nearly full'],
    ['https://db.example/records and a@b.example', 'https://db.example/records and a@b.example'],
  ])('of %j leaves %j', (text, censored) => {
    expect(withoutSecrets(text)).toBe(censored)
  })
})
