import { capitalised } from '../../base/text.ts'

export function tooLong(field: string, most: number): string {
  return `The field ${capitalised(field)} must be a string or array type with a maximum length of ${most}.`
}

export function required(field: string): string {
  return `The ${capitalised(field)} field is required.`
}
