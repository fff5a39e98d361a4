// The thread that checks secrets. Asynchronous scrypt would occupy libuv's few threads, which file access needs.
import { parentPort } from 'node:worker_threads'
import { verifySecretSync } from './secrets.ts'

/** The message to the thread; the answer is the hash that the secret matches, or undefined. */
export interface SecretCheck {
  /** In each spelling that it may have been sent in. */
  readonly secrets: readonly string[]
  readonly hashes: readonly string[]
}

parentPort?.on('message', ({ secrets, hashes }: SecretCheck) => {
  parentPort?.postMessage(hashes.find((hash) => secrets.some((secret) => verifySecretSync(secret, hash))))
})
