// The thread that checks secrets. It computes, and so holds up nobody: what runs beside the event loop by itself, such as
// reading files, has only a few threads in common.
import { parentPort } from 'node:worker_threads'
import { isSecretOf } from './secrets.ts'

/** What is asked; the answer is whether the secret is the one that was hashed. */
export interface SecretQuestion {
  readonly secret: string
  readonly stored: string
}

parentPort?.on('message', ({ secret, stored }: SecretQuestion) => {
  parentPort?.postMessage(isSecretOf(secret, stored))
})
