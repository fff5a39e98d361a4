/** Whoever comes from a search sees the first place that it has found. */
export function showFirstMark(element: HTMLElement | null): void {
  element?.querySelector('mark')?.scrollIntoView({ block: 'center' })
}
