import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Sheet } from '../../parts/sheet.tsx'
import { t } from '../../words/words.ts'

/** Asks from which change on. */
export function Replay({ onReplay }: { readonly onReplay: (since: number) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [since, setSince] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setOpen(false)
    onReplay(Number(since))
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {t('Replay')}
      </Button>
      <Sheet title={t('Tell changes again')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <form onSubmit={submit}>
          <TextInput
            size="xs"
            label={t('All changes after number')}
            description={t('The number of a change stands in the feed below, and in each event.')}
            inputMode="numeric"
            pattern="[0-9]+"
            required
            value={since}
            onChange={({ currentTarget }) => setSince(currentTarget.value)}
          />
          <Button size="xs" type="submit" mt="sm">
            {t('Tell them again')}
          </Button>
        </form>
      </Sheet>
    </>
  )
}
