import type { KeyRing } from '../../access/keys.ts'
import type { Observe } from '../../observe/observation.ts'

/** Until then all processes sign with the new key; tokens of the one before are valid anyway. */
const KEY_CHECK_MS = 1_000

/** Reloads the keys when their file changes, such as by `keys rotate`. Generated ones are also rotated by age. */
export function watchKeys(keys: KeyRing, areGenerated: boolean, observe: Observe): () => void {
  let reported = ''
  let isChecking = false
  const check = async () => {
    // A slow disk must not lead to two new keys.
    if (isChecking) return
    isChecking = true
    try {
      keys.reload()
      const keyId = areGenerated ? await keys.rotateWhenDue() : undefined
      if (keyId !== undefined) observe({ kind: 'keys-rotated', keyId })
      reported = ''
    } catch (error) {
      const message = `the keys could not be read or rotated: ${error}`
      if (message !== reported) observe({ kind: 'store-warning', message })
      reported = message
    } finally {
      isChecking = false
    }
  }
  const timer = setInterval(() => void check(), KEY_CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
