import type { KeyRing } from '../access/keys.ts'
import type { Observe } from '../observe/observation.ts'

const KEY_CHECK_MS = 30_000

/** Generated keys are rotated by age; the administrator's keys are reloaded when their file changes. */
export function watchKeys(keys: KeyRing, areGenerated: boolean, observe: Observe): () => void {
  const timer = setInterval(() => {
    if (areGenerated) {
      keys.rotateWhenDue().then(
        (keyId) => keyId !== undefined && observe({ kind: 'keys-rotated', keyId }),
        (error: unknown) => observe({ kind: 'store-warning', message: `the keys could not be rotated: ${error}` }),
      )
      return
    }
    try {
      keys.reload()
    } catch (error) {
      observe({ kind: 'store-warning', message: `the keys could not be read again: ${error}` })
    }
  }, KEY_CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
