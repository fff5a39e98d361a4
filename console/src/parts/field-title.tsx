import { Code } from '@mantine/core'
import { showsNames } from '../service/preferences.ts'

interface FieldTitleProps {
  readonly title: string
  /** As programs call it. */
  readonly path: string
  readonly description?: string | undefined
}

/** What a member is called; its name where the mouse rests, and beside it for those who have chosen so. */
export function FieldTitle({ title, path, description = '' }: FieldTitleProps) {
  return (
    <span title={description === '' ? path : `${path}: ${description}`}>
      {title}
      {showsNames() && path !== '' && (
        <>
          {' '}
          <Code>{path}</Code>
        </>
      )}
    </span>
  )
}
