import { expect, it } from 'vitest'
import { JobFailed } from './job-faults.ts'
import { sizeOfPng } from './size.ts'

const MOST = { width: 96, height: 48 }

function headerOf(width: number, height: number): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000806000000', 'hex')
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return header
}

it.each([
  [1, 1],
  [96, 48],
  [48, 1],
])('tells the size of a PNG: %i x %i', (width, height) => {
  expect(sizeOfPng(headerOf(width, height), MOST)).toEqual({ width, height })
})

it.each([
  [0, 1],
  [1, 0],
  [97, 48],
  [96, 49],
  [0xffffffff, 0xffffffff],
])('refuses %i x %i', (width, height) => {
  expect(() => sizeOfPng(headerOf(width, height), MOST)).toThrow(JobFailed)
})

it.each([
  ['nothing', Buffer.alloc(0)],
  ['half a header', headerOf(1, 1).subarray(0, 23)],
  ['a page', Buffer.from('<!doctype html><title>a page that says much</title>')],
])('refuses %s', (_what, bytes) => {
  expect(() => sizeOfPng(bytes, MOST)).toThrow(JobFailed)
})
