/** `general-ledger-transactions` as people write it. */
export function titleOf(document: string): string {
  const words = document.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
