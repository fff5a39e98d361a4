import { capitalised } from '../../base/text.ts'

export function required(field: string): string {
  return `The ${capitalised(field)} field is required.`
}
