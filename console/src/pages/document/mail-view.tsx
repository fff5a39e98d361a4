// An e-mail: who has written what to whom, and its attachments to be saved. Pictures that it names elsewhere are not
// loaded, because their sender would learn of it.
import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import PostalMime, { type Address, type Attachment } from 'postal-mime'
import { useId } from 'react'
import { dateText, sizeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MarkedText } from '../../parts/marked-text.tsx'
import { Preformatted } from '../../parts/preformatted.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { saveFile } from '../../service/save-file.ts'
import { t } from '../../words/words.ts'
import classes from './document.module.css'
import { textOfHtml } from './mail-text.ts'
import { showFirstMark } from './show-first-mark.ts'

/** No program writes messages that are nested deeper. */
const LIMITS = { maxNestingDepth: 32, maxRfc822NestingDepth: 4, attachmentEncoding: 'arraybuffer' } as const
const MAX_ADDRESSES = 50

export default function MailView({ content, search }: { readonly content: Blob; readonly search: string }) {
  const id = useId()
  const { data: mail, error } = useQuery({
    queryKey: ['mail', id, content.size],
    queryFn: () => PostalMime.parse(content, LIMITS),
    gcTime: 0,
    retry: false,
  })
  if (error) return <ProblemNote error={new Error(t('The file is no e-mail that can be read. Save it to open it.'))} />
  if (!mail) return <Loading lines={10} />
  const head = [
    [t('From'), mail.from && addressesText([mail.from])],
    [t('To'), addressesText(mail.to)],
    [t('Copy'), addressesText(mail.cc)],
    [t('Sent'), mail.date && dateText(mail.date)],
    [t('Subject'), mail.subject],
  ] as const
  return (
    <>
      <dl className={classes.filing}>
        {head.map(
          ([name, text]) =>
            text && (
              <div key={name} className={classes.pair}>
                <dt>{name}</dt>
                <dd>
                  <ShownText text={text} />
                </dd>
              </div>
            ),
        )}
      </dl>
      {mail.attachments.length > 0 && (
        <Group gap="xs" my="sm" role="group" aria-label={t('Attachments')}>
          {mail.attachments.map((attachment, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: attachments of one name have their places alone
            <AttachmentButton key={place} attachment={attachment} />
          ))}
        </Group>
      )}
      <div ref={showFirstMark}>
        <Preformatted className={classes.text}>
          <MarkedText text={mail.text ?? textOfHtml(mail.html ?? '')} search={search} />
        </Preformatted>
      </div>
    </>
  )
}

function AttachmentButton({ attachment: { filename, mimeType, content } }: { readonly attachment: Attachment }) {
  const name = filename ?? t('Attachment')
  // Saved and never shown: whatever its type says, the browser does not open it here.
  const file = new Blob([content as ArrayBuffer], { type: 'application/octet-stream' })
  return (
    <Button variant="default" title={mimeType} onClick={() => saveFile(file, name)}>
      {t('Save {{name}}, {{size}}', { name, size: sizeText(file.size) })}
    </Button>
  )
}

function addressesText(addresses: readonly Address[] = []): string {
  const all = addresses.flatMap((one) => one.group ?? [one])
  const shown = all.slice(0, MAX_ADDRESSES).map(({ name, address }) => (name ? `${name} <${address}>` : address))
  return shown.join(', ') + (all.length > MAX_ADDRESSES ? ' \u2026' : '')
}
