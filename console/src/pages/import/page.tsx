// An import in the browser: a file or a pasted block, what its columns mean, its rows checked and mended, and loaded.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { AS_FOUND, previewFile, type Reading, takePasted } from '../../service/imports.ts'
import { useMayImport } from '../../service/may-write.ts'
import { useDocument } from '../../service/metadata.ts'
import { useCompany } from '../../service/session.ts'
import { useTitles, withinSentence } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { ImportForm } from './import-form.tsx'
import { ReadingChoice } from './reading-choice.tsx'
import { RecentImports } from './recent-imports.tsx'
import { type Source, SourceChoice, sourceOfText } from './source-choice.tsx'
import { Steps } from './steps.tsx'
import { tableOf } from './table.ts'

export function ImportPage() {
  const { document = '' } = useParams({ strict: false }) as { document?: string }
  return (
    <Suspense fallback={<Loading />}>
      <Import key={document} name={document} />
    </Suspense>
  )
}

function Import({ name }: { readonly name: string }) {
  const { id: company } = useCompany()
  const titleOf = useTitles()
  const [source, setSource] = useState<Source | undefined>(() => {
    const block = takePasted()
    return block === undefined ? undefined : sourceOfText(block)
  })
  const isAllowed = useMayImport()(name)
  return (
    <PageFrame
      title={t('Import {{document}}', { document: withinSentence(titleOf(name)) })}
      description={t('Rows of a spreadsheet become records. Nothing is stored before you load them.')}
      actions={
        <>
          {source && (
            <Button variant="default" onClick={() => setSource(undefined)}>
              {t('Another file')}
            </Button>
          )}
          <Button
            variant="default"
            component={Link}
            to="/$company/grid/$document"
            params={{ company, document: name } as never}
          >
            {t('To the records')}
          </Button>
        </>
      }
    >
      {!isAllowed && <p>{t('You may not create such records.')}</p>}
      {isAllowed && !source && (
        <>
          <Steps at="file" />
          <SourceChoice onChosen={setSource} />
          <RecentImports document={name} />
        </>
      )}
      {isAllowed && source && <Read key={source.id} name={name} source={source} onSheet={setSource} />}
    </PageFrame>
  )
}

interface ReadProps {
  readonly name: string
  readonly source: Source
  readonly onSheet: (source: Source) => void
}

function Read({ name, source, onSheet }: ReadProps) {
  const { id: company } = useCompany()
  const document = useDocument(name)
  const [reading, setReading] = useState<Reading>({ ...AS_FOUND, ...source.reading })
  const { encoding, separator } = reading
  const { data, error } = useQuery({
    queryKey: [company, 'preview', name, source.id, encoding, separator, reading.decimal, reading.dates],
    queryFn: async () => {
      const preview = await previewFile(company, name, source.blob, reading)
      const table = tableOf(preview.headings, preview.rows, (number) => t('Column {{number}}', { number }))
      return { preview, table }
    },
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const choice = (
    <ReadingChoice source={source} reading={reading} preview={data?.preview} onChange={setReading} onSheet={onSheet} />
  )
  if (error) {
    return (
      <>
        <Steps at="file" />
        {choice}
        <ProblemNote error={error} />
      </>
    )
  }
  if (!data) return <Loading lines={8} />
  return (
    <ImportForm
      key={`${encoding} ${separator}`}
      document={document}
      preview={data.preview}
      table={data.table}
      reading={reading}
      choice={choice}
    />
  )
}
