// The thread that checks secrets. Asynchronous scrypt would occupy libuv's few threads, which file access needs.
import { parentPort } from 'node:worker_threads'
import { verifySecretSync } from './secrets.ts'

/** The message to the thread; the answer is a boolean, whether the secret matches the hash. */
export interface SecretCheck {
  readonly secret: string
  readonly storedHash: string
}

parentPort?.on('message', ({ secret, storedHash }: SecretCheck) => {
  parentPort?.postMessage(verifySecretSync(secret, storedHash))
})
