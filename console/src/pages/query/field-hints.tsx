import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { documentQuery } from '../../service/metadata.ts'
import { useCompany } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import classes from './query.module.css'

interface FieldHintsProps {
  readonly document: string
  readonly onChoose: (path: string) => void
}

/** The fields that this caller may filter by; one that is chosen begins a condition. */
export function FieldHints({ document, onChoose }: FieldHintsProps) {
  const { data } = useQuery(documentQuery(useCompany().id, document))
  return (
    <Menu position="bottom-start" withinPortal={false}>
      <Menu.Target>
        <Button size="xs" variant="default">
          {t('Fields')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.hints}>
        {data?.fields
          .filter(({ isFilterable }) => isFilterable)
          .map(({ path, titles }) => (
            <Menu.Item key={path} onClick={() => onChoose(path)} rightSection={titles.at(-1)}>
              {path}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}
