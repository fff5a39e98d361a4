const FIELD = 'input:not([type=hidden]), select, textarea'

/** Puts the cursor where one begins to type; as the `ref` of a form it does so when the form is shown. */
export function focusFirstField(form: HTMLElement | null): void {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>(FIELD) ?? [])]
  fields.find(({ disabled, readOnly, offsetParent }) => !disabled && !readOnly && offsetParent !== null)?.focus()
}
