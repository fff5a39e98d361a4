/** Looks at once and then every so often; returns what ends it. */
export function nowAndThen(look: () => Promise<void>, everyMs: number): () => void {
  // A store that cannot be asked now is told by those who need an answer.
  const lookOn = () => void look().catch(() => {})
  lookOn()
  const timer = setInterval(lookOn, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
