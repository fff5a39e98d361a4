// The thread that checks secrets. Asynchronous scrypt would occupy libuv's few threads, which file access needs.
import { parentPort } from 'node:worker_threads'
import { verifySecretSync } from './secrets.ts'

/** The message to the thread; the answer is the hash that the secret matches, or undefined. */
export interface SecretCheck {
  readonly secret: string
  readonly hashes: readonly string[]
}

parentPort?.on('message', ({ secret, hashes }: SecretCheck) => {
  parentPort?.postMessage(hashes.find((hash) => verifySecretSync(secret, hash)))
})
